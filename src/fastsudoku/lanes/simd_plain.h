/* Formulas of three planes, where no instruction takes three: two instructions or more each. */

INLINE vector or3(vector a, vector b, vector c) { return a | b | c; }
INLINE vector xor3(vector a, vector b, vector c) { return a ^ b ^ c; }
INLINE vector and3(vector a, vector b, vector c) { return a & b & c; }
/* The same function twice: an or3, or an xor3, of the same planes shares a part with it. */
INLINE vector majority(vector a, vector b, vector c) { return (a & b) | (c & (a | b)); }
INLINE vector carry(vector a, vector b, vector c) { return (a & b) | (c & (a ^ b)); }
INLINE vector or_and(vector a, vector b, vector c) { return a | (b & c); }
INLINE vector or_and_not(vector a, vector b, vector c) { return a | (b & ~c); }
INLINE vector or_xor(vector a, vector b, vector c) { return a | (b ^ c); }
INLINE vector xor_and_not(vector a, vector b, vector c) { return (a ^ b) & ~c; }
INLINE vector and_or(vector a, vector b, vector c) { return a & (b | c); }
INLINE vector and_or_not(vector a, vector b, vector c) { return a & (b | ~c); }
INLINE vector and_not_or(vector a, vector b, vector c) { return a & ~(b | c); }
INLINE vector and_not_and(vector a, vector b, vector c) { return a & ~(b & c); }
INLINE vector blend(vector a, vector b, vector where) { return a ^ ((a ^ b) & where); }
