/**
 * Secrets that no answer may hold, for any caller: hashes of passwords and keys, private keys, internal columns. The
 * suites' client checks every answer it gets, those of the gateway too: no suite writes such text into a call.
 * Tested in secret-shapes.test.ts.
 */
const shapes: Readonly<Record<string, RegExp>> = {
  'a password hash': /\$argon2(?:id|i|d)\$v=|imported:\$|\$(?:pbkdf2|scrypt)[a-z0-9-]*\$\w+=\d/,
  'a private key': /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----|"d":"[\w-]{43}"/,
  'a column of ours':
    /"(?:password_hash|secret_hash|token_sha256|refresh_jti|previous_jti|request_digest|code_digest)":"(?!digest:)/,
}

/** Forbidden contents of an answer, in words. */
export function secretShapes(text: string): readonly string[] {
  return Object.entries(shapes)
    .filter(([, shape]) => shape.test(text))
    .map(([what]) => `the answer holds ${what}`)
}
