/** The program with nothing but the notes and the probes in it, on a database of its own and a clock moved by hand. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import { permissionSet } from '../../src/kernel/access/permissions.ts'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { hashApiKey, makeApiKey } from '../../src/kernel/auth/api-keys.ts'
import type { StoredApiKey, SubjectRights } from '../../src/kernel/auth/port.ts'
import { type Environment, loadConfig } from '../../src/kernel/config/load.ts'
import type { Kernel } from '../../src/kernel/kernel.ts'
import { createLogger } from '../../src/kernel/observe/log.ts'
import { createFakeClock, type FakeClock } from '../../src/kernel/testing/fake-clock.ts'
import { type Program, type ProgramInput, startProgram } from '../../src/program.ts'
import { TestClient } from '../support/client.ts'
import { openTestDatabase } from '../support/database.ts'
import { openApiChecker } from '../support/openapi-check.ts'
import { notesModule } from './notes-module.ts'
import { createProbe, type Probe, probeModule } from './probe-module.ts'

export interface NotesWorld {
  readonly program: Program
  readonly kernel: Kernel
  readonly clock: FakeClock
  readonly probe: Probe
  /** Every line the program logged. */
  readonly logged: readonly string[]
  readonly stranger: TestClient
  /** A tenant with a data key. */
  tenant(): Promise<TenantId>
  /** Somebody of the tenant with these permissions (default: all on the notes), signed in. */
  person(tenantId: TenantId, permissions?: readonly string[]): Promise<TestClient>
  /** A key with a rate limit of its own. */
  apiKey(tenantId: TenantId, rateLimitPerMinute: number | null): TestClient
  setTenantStatus(tenantId: TenantId, status: SubjectRights['tenantStatus']): Promise<void>
  /** Before its people are known. */
  setRequestQuota(tenantId: TenantId, perMinute: number): void
  setSetUp(done: boolean): void
  close(): Promise<void>
}

export async function openNotesWorld(
  environment: Environment = {},
  more: Pick<ProgramInput, 'patience'> = {},
): Promise<NotesWorld> {
  const clock = createFakeClock()
  const probe = createProbe()
  const modules = [notesModule, probeModule(probe)]
  const database = await openTestDatabase(schemaOf(modules))
  const folder = await mkdtemp(join(tmpdir(), 'parapet-notes-'))
  const config = loadConfig({ PARAPET_DATA_DIR: folder, PARAPET_ACCESS_LOG: 'false', ...environment })
  const logged: string[] = []
  const log = createLogger({ level: 'info', now: clock.now, destination: { write: (line) => void logged.push(line) } })
  const program = await startProgram({
    config,
    clock,
    log,
    driver: database.driver,
    checkEvents: true,
    modules,
    ...more,
  })
  const { kernel } = program.assembled
  const people = createPeople(kernel)
  const document = await program.app.inject('/openapi.json')
  const check = config.publicDocuments ? openApiChecker(document.payload) : () => []
  const stranger = new TestClient(program.app, check, '')
  return {
    program,
    kernel,
    clock,
    probe,
    logged,
    stranger,
    tenant: async () => {
      const tenantId = kernel.random.uuid() as TenantId
      await kernel.db.tenant({ tenantId }, (tx) => kernel.tenantKeys.create(tx))
      return tenantId
    },
    person: async (tenantId, permissions = ['risk:admin']) => stranger.with(await people.signIn(tenantId, permissions)),
    apiKey: (tenantId, perMinute) => stranger.with(people.apiKey(tenantId, perMinute)),
    setTenantStatus: people.setTenantStatus,
    setRequestQuota: people.setRequestQuota,
    setSetUp: people.setSetUp,
    close: async () => {
      await program.stop()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The identity module's part, in memory. */
function createPeople(kernel: Kernel) {
  const permissionsOf = new Map<string, readonly string[]>()
  const statusOf = new Map<string, SubjectRights['tenantStatus']>()
  const quotaOf = new Map<string, number>()
  const keys = new Map<string, StoredApiKey>()
  let setUp = true
  kernel.auth.fill({
    rights: async (tenantId, userId) => {
      const permissions = permissionsOf.get(userId)
      if (permissions === undefined) return null
      return {
        active: true,
        role: 'probe',
        roles: ['probe'],
        permissions: permissionSet(permissions),
        operator: false,
        tenantStatus: statusOf.get(tenantId) ?? 'active',
        tenantRequestsPerMinute: quotaOf.get(tenantId) ?? null,
      }
    },
    apiKey: async (keyId) => keys.get(keyId) ?? null,
    apiKeyUsed: () => undefined,
    tenantsAbove: async () => [],
    isSetUp: () => setUp,
  })
  return {
    signIn: async (tenantId: TenantId, permissions: readonly string[]): Promise<string> => {
      const sub = kernel.random.uuid()
      permissionsOf.set(sub, permissions)
      const proof = { auth_time: Math.floor(kernel.clock.now() / 1000), amr: ['pwd'], acr: '1' }
      const claims = { sub, tid: tenantId, sid: kernel.random.uuid(), role: 'probe', permissions, ...proof }
      return (await kernel.auth.signAccess(claims)).token
    },
    apiKey: (tenantId: TenantId, rateLimitPerMinute: number | null): string => {
      const made = makeApiKey(kernel.random)
      const ownerId = kernel.random.uuid()
      permissionsOf.set(ownerId, ['risk:admin'])
      keys.set(made.keyId, {
        id: kernel.random.uuid(),
        tenantId,
        ownerId,
        secretHash: hashApiKey(kernel.platformKeys, made),
        scopes: permissionSet(['risk:admin']),
        expiresAt: null,
        allowedCidrs: [],
        rateLimitPerMinute,
        revoked: false,
      })
      return made.text
    },
    setTenantStatus: async (tenantId: TenantId, status: SubjectRights['tenantStatus']): Promise<void> => {
      statusOf.set(tenantId, status)
      await kernel.db.tenant({ tenantId }, (tx) => kernel.auth.rightsChanged(tx, `tenant:${tenantId}`))
    },
    setRequestQuota: (tenantId: TenantId, perMinute: number): void => {
      quotaOf.set(tenantId, perMinute)
    },
    setSetUp: (done: boolean): void => {
      setUp = done
    },
  }
}
