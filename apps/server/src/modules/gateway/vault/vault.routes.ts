import { assertFresh } from '../../../kernel/auth/fresh.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../declared/errors.ts'
import { Reveal, Revealed } from '../schemas/vault.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { revealValues } from './reveal.ts'

const route = routesOf<GatewayServices>()

export const vaultRoutes = [
  route.post('/vault/reveal', {
    permission: 'gateway:admin',
    summary: 'Show original values behind placeholders of one call',
    description:
      'Needs a session whose last proof of identity is at most ten minutes old; API keys never pass. Every value is an audit entry. Where the tenant setting `vault_second_person` holds, the first call is refused with a `confirm_token`, with which another administrator repeats it and is shown the values. The answer is not stored, so no `Idempotency-Key` is taken.',
    body: Reveal,
    returns: [200, Revealed],
    audit: 'gateway.vault.reveal',
    errors: [
      authErrors.stepUp,
      apiErrors.notFound,
      apiErrors.validation,
      errors.payloadNotRetained,
      errors.revealRefused,
    ],
    ownTransactions: true,
    handler: async (context) => {
      const { actor, body, kernel, request, services, repeatable } = context
      assertFresh(actor, kernel.clock)
      if (request.header('idempotency-key') !== undefined)
        throw apiErrors.validation({ what: 'Revealed values are not stored, so this takes no Idempotency-Key.' })
      const revealed = await revealValues(services, scopeOf(context), { actor, body, repeatable })
      return new Answer(revealed, { headers: { 'cache-control': 'no-store' } })
    },
  }),
]
