import type { TenantId } from '../../src/kernel/access/actor.ts'
import { permissionSet } from '../../src/kernel/access/permissions.ts'
import { type Environment, loadConfig } from '../../src/kernel/config/load.ts'
import { type Program, startProgram } from '../../src/program.ts'
import { filesModule } from './files-module.ts'
import { identityModule } from './identity-module.ts'

export interface FilesProgram {
  readonly program: Program
  readonly port: number
  readonly tenantId: TenantId
  /** Of a user who may keep files. */
  readonly token: string
}

/** The program with nothing but the module that keeps files, listening, with a tenant of its own. */
export async function startFilesProgram(environment: Environment, maxBytes: number): Promise<FilesProgram> {
  const permissions = ['compliance:admin']
  const config = loadConfig({ PARAPET_ACCESS_LOG: 'false', PARAPET_LOG_LEVEL: 'error', ...environment })
  const people = identityModule({
    rights: async () => ({
      ...{ active: true, role: 'files', roles: ['files'], permissions: permissionSet(permissions), operator: false },
      ...{ tenantStatus: 'active', tenantRequestsPerMinute: null },
    }),
    apiKey: async () => null,
    apiKeyUsed: () => undefined,
    outsideToken: async () => null,
    tenantsAbove: async () => [],
    isSetUp: () => true,
  })
  const program = await startProgram({ config, modules: [people, filesModule({ maxBytes, timeLimitMs: 3_600_000 })] })
  const { kernel } = program.assembled
  const tenantId = kernel.random.uuid() as TenantId
  await kernel.db.tenant({ tenantId }, (tx) => kernel.tenantKeys.create(tx))
  const proof = { auth_time: Math.floor(kernel.clock.now() / 1000), amr: ['pwd'], acr: '1' }
  const claims = {
    sub: kernel.random.uuid(),
    tid: tenantId,
    sid: kernel.random.uuid(),
    role: 'files',
    permissions,
    ...proof,
  }
  const { token } = await kernel.auth.signAccess(claims)
  await program.app.listen({ port: 0, host: '127.0.0.1' })
  const address = program.app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return { program, port: address.port, tenantId, token }
}
