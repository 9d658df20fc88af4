import type { ModuleCases } from '../../../../test/generated/module-cases.ts'
import { UploadBody } from '../../../../test/support/upload-body.ts'
import { expectStatus, type TestTenant } from '../../../../test/support/world.ts'
import { squidLine } from '../shadow-ai/testing/logs.ts'

const log = (n: number): Buffer =>
  Buffer.from(
    [
      squidLine({ at: 1_760_000_000 + n, target: `CONNECT sample-${n}.openai.azure.com:443`, user: `sample-${n}` }),
      squidLine({ at: 1_760_000_000 + n, target: `CONNECT gpt.sample-${n}.example:443`, user: '-' }),
    ].join(''),
  )

let seen = 0

/** The newest of the services that a log of its own shows; the catalog entry, which has no path of its own, comes along. */
async function newService({ admin }: Pick<TestTenant, 'admin'>) {
  seen += 1
  const target = `CONNECT llm.twin-${seen}.example:443`
  const body = UploadBody.stream('text/plain', Buffer.from(squidLine({ at: 1_760_000_000, target, user: 'twin' })))
  expectStatus(await admin.post('/aegis/shadow-ai/ingestions', body), 201)
  const entry = { slug: `twin-${seen}`, name: `Twin ${seen}`, vendor: 'Twin', category: 'chat' }
  const hosts = [`.twin-entry-${seen}.example`]
  expectStatus(await admin.post('/aegis/shadow-ai/catalog-entries', { ...entry, hosts }), 201)
  return admin.get('/aegis/shadow-ai/services')
}

/** Samples of shadow AI for the suites over all routes. */
export const cases: ModuleCases = {
  files: { 'POST /api/v1/aegis/shadow-ai/ingestions': log },
  bodies: {
    'PATCH /api/v1/aegis/shadow-ai/services/{shadow_service_id}': (n, ids) =>
      n % 2 === 0 ? { owner_user_id: ids.user_id ?? null } : { owner_user_id: null },
    'POST /api/v1/aegis/shadow-ai/catalog-entries': (n) => ({
      ...{ slug: `sample-${n}`, name: `Sample ${n}`, vendor: 'Sample', category: 'chat' },
      hosts: [`.sample-entry-${n}.example`],
    }),
  },
  found: { shadow_service_id: newService },
  // Names of regions.
  noIds: ['POST /api/v1/aegis/shadow-ai/catalog-entries body/facts/data_regions/value[]'],
}
