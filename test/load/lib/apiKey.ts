// Owns the one key of the measurements; the gateway under measurement knows it, and no other gateway does.

export const apiKey = "mp_test_measurement"
