// Owns the one key of the measurements. Only the gateway under measurement knows it.

export const apiKey = "mp_test_measurement"
