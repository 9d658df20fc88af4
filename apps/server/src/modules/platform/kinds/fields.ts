/** Forms that the configurations of several kinds share. */
import Type from 'typebox'

export const Url = Type.String({ format: 'uri', minLength: 8, maxLength: 2_000, pattern: '^https?://' })
/** Printable ASCII: most of them stand in a header. */
export const Secret = Type.String({ minLength: 1, maxLength: 4_000, pattern: '^[\\x20-\\x7e]+$' })
export const Word = Type.String({ minLength: 1, maxLength: 255 })
export const Host = Type.String({ minLength: 1, maxLength: 253, pattern: '^[A-Za-z0-9._:-]+$' })
export const Port = Type.Integer({ minimum: 1, maximum: 65_535 })
