/* Formulas of three planes in one instruction each: FORMULA(a, b, c, truth). The formula's value for
 * a, b, c = 1, 1, 1 is the highest bit of the number `truth`, for 0, 0, 0 the lowest. */

INLINE vector or3(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xFE); }
INLINE vector xor3(vector a, vector b, vector c) { return FORMULA(a, b, c, 0x96); }
INLINE vector and3(vector a, vector b, vector c) { return FORMULA(a, b, c, 0x80); }
INLINE vector majority(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xE8); }
INLINE vector carry(vector a, vector b, vector c) { return majority(a, b, c); }
INLINE vector or_and(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xF8); }
INLINE vector or_and_not(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xF4); }
INLINE vector or_xor(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xF6); }
INLINE vector xor_and_not(vector a, vector b, vector c) { return FORMULA(a, b, c, 0x14); }
INLINE vector and_or(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xE0); }
INLINE vector and_or_not(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xD0); }
INLINE vector and_not_or(vector a, vector b, vector c) { return FORMULA(a, b, c, 0x10); }
INLINE vector and_not_and(vector a, vector b, vector c) { return FORMULA(a, b, c, 0x70); }
INLINE vector blend(vector a, vector b, vector where) { return FORMULA(a, b, where, 0xD8); }
