/** Routes in a vendor's form, as the gateway has them. */
import Type from 'typebox'
import type { Kernel } from '../../src/kernel/kernel.ts'
import type { RawForm } from '../../src/kernel/module/raw-form.ts'
import { Answer, routesOf } from '../../src/kernel/module/route.ts'

const vendorForm: RawForm = {
  under: '/vendor',
  errorSchema: Type.Object(
    { error: Type.Object({ message: Type.String(), code: Type.String(), at: Type.Array(Type.String()) }) },
    { additionalProperties: false },
  ),
  error: (problem, { requestId }) => ({
    body: {
      error: {
        message: problem.message,
        code: problem.code,
        at: problem.parts.flatMap(({ pointer }) => (pointer === undefined ? [] : [pointer])),
      },
    },
    headers: { 'x-should-retry': String(problem.status >= 500), 'x-vendor-request': requestId },
  }),
}

const Said = Type.Object({ said: Type.String() })
const Wanted = Type.Object({ say: Type.String({ maxLength: 20 }) })

export function rawProbeRoutes(refuseReplay: () => boolean, failure: () => Error) {
  const route = routesOf<Kernel>()
  return [
    route.post('/vendor/v1/say', {
      permission: 'risk:write',
      summary: 'Say it in the form of a vendor',
      body: Wanted,
      open: true,
      raw: vendorForm,
      bodyLimit: 200,
      rateClass: 'expensive',
      ownTransactions: true,
      returns: [200, Said],
      audit: 'probe.say',
      guard: (_context, given, headers) => {
        if (refuseReplay()) throw new TypeError(`not again: ${given.said} by ${headers['x-by']}`)
      },
      handler: async ({ body, kernel }) => {
        if (body.say === 'fail') throw failure()
        return new Answer({ ...body, said: body.say, once: kernel.random.uuid() }, { headers: { 'x-by': 'probe' } })
      },
    }),
    route.get('/vendor/v1/said', {
      permission: 'risk:read',
      summary: 'What was said',
      raw: vendorForm,
      returns: [200, Said],
      handler: async () => ({ said: 'this', also: ['undeclared'] }),
    }),
  ]
}
