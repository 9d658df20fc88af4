/** Passkeys of this browser, in the JSON forms of WebAuthn Level 3, as the API takes and gives them. */
import type { Posts } from './generated/api'

type AuthenticationOptions = Posts['/auth/passkeys/authentication-options']['data']
type RegistrationOptions = Posts['/auth/passkeys/registration-options']['data']
export type PasskeyAnswer = Posts['/auth/passkeys/login']['body']['credential']
export type NewPasskey = Posts['/auth/passkeys']['body']['credential']

/** Whether the browser has passkeys in these forms, and the address can have one: a name, not a number. */
export function hasPasskeys(): boolean {
  const named = !/^[\d.]+$|^\[/.test(location.hostname)
  return named && typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

/** Asks the person for a passkey. @throws DOMException where they decline or have none */
export async function passkeyAnswer(options: AuthenticationOptions): Promise<PasskeyAnswer> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  return answerOf<PasskeyAnswer>(await navigator.credentials.get({ publicKey }))
}

/** Makes a passkey. @throws DOMException where the person declines, or the authenticator has one of the account already */
export async function newPasskey(options: RegistrationOptions): Promise<NewPasskey> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  return answerOf<NewPasskey>(await navigator.credentials.create({ publicKey }))
}

function answerOf<T>(credential: Credential | null): T {
  if (credential instanceof PublicKeyCredential) return credential.toJSON() as T
  throw new Error('The browser gave no passkey. Try again.')
}
