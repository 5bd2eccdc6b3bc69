// Owns the one key of the measurement; the gateway under measurement knows it, and no other gateway does.

export const apiKey = "mp_test_fanout_measurement"
