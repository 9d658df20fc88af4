/**
 * Ending mails by the link of a letter. Opening it asks and changes nothing, because scanners of mails open links too; the
 * post ends them, from the page or from a mail program (RFC 8058). Tested in modules/platform/notifications/mails.test.ts.
 */
import { apiErrors } from '../kernel/errors/errors.ts'
import type { Call } from '../kernel/http/call.ts'
import type { Surface, SurfaceAnswer } from '../kernel/http/surfaces.ts'
import { readToken, type Subscription, unsubscribePath } from '../modules/platform/deliveries/unsubscribe-token.ts'
import { unsubscribe } from '../modules/platform/notifications/unsubscribe.ts'
import type { PlatformServices } from '../modules/platform/services/platform-services.ts'
import { contentPolicy, html, pageOf, problemPage } from './html.ts'

export function unsubscribePages(services: PlatformServices): readonly Surface[] {
  const page = { path: unsubscribePath, rateClass: 'credential', contentPolicy, problemPage } as const
  return [
    { ...page, answer: async (call) => question(call, subscriptionOf(services, call)) },
    { ...page, method: 'POST', answer: (call) => end(services, call) },
  ]
}

/** @throws API-001 */
function subscriptionOf({ kernel }: PlatformServices, call: Call): Subscription {
  const subscription = readToken(kernel, call.query('token') ?? '')
  if (subscription !== null) return subscription
  throw apiErrors.validation({
    what: 'The link is not complete or was not made here. Open it from the mail again, or change your preferences.',
  })
}

const named = ({ categories }: Subscription): string => categories.map((one) => one.replaceAll('_', ' ')).join(', ')

function question(call: Call, subscription: Subscription): SurfaceAnswer {
  const action = `${unsubscribePath}?token=${encodeURIComponent(call.query('token') ?? '')}`
  const body = html`<p>No more mails about: <strong>${named(subscription)}</strong>? Your inbox in Parapet stays as it is.</p>
<form method="post" action="${action}">
<button type="submit">End these mails</button>
</form>`
  return pageOf({ title: 'End mails', body })
}

async function end(services: PlatformServices, call: Call): Promise<SurfaceAnswer> {
  const subscription = subscriptionOf(services, call)
  const closed = services.kernel.gate.refuse({ module: 'platform', method: 'POST', path: unsubscribePath, ip: call.ip })
  if (closed !== null) throw closed
  await unsubscribe(services, subscription)
  const body = html`<p>You get no more mails about: <strong>${named(subscription)}</strong>. The preferences of your notifications turn them on again.</p>`
  return pageOf({ title: 'Mails ended', body })
}
