import type { Kernel } from '../../../kernel/kernel.ts'

type Configured = Pick<Kernel, 'config'>

function leg({ config }: Configured, connectionId: string, name: string): string {
  return `${config.publicUrl}/api/v1/auth/sso/${connectionId}/${name}`
}

/** Where the identity provider sends the browser back: OIDC redirect URI, SAML assertion consumer service. */
export const callbackUrl = (kernel: Configured, id: string): string => leg(kernel, id, 'callback')

/** Names us at the identity provider and is where our metadata is. */
export const entityId = (kernel: Configured, id: string): string => leg(kernel, id, 'metadata')

export const backchannelLogoutUrl = (kernel: Configured, id: string): string => leg(kernel, id, 'backchannel-logout')

/** Where a browser ends up after a trial; the administrator who began it sees the result. */
export function trialUrl({ config }: Configured, trialId: string): string {
  return `${config.publicUrl}/sso/trial?trial_id=${trialId}`
}

/** Where a browser ends up: the page that exchanges the code, which works once, for a minute, with its verifier. */
export function completionUrl({ config }: Configured, code: string): string {
  return `${config.publicUrl}/sso/complete?code=${code}`
}
