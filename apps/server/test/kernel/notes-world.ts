/** The program with nothing but the notes and the probes in it, on a database of its own and a clock moved by hand. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import { permissionSet } from '../../src/kernel/access/permissions.ts'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { hashApiKey, makeApiKey } from '../../src/kernel/auth/api-keys.ts'
import type { IdentitySource, OutsideCredential, StoredApiKey, SubjectRights } from '../../src/kernel/auth/port.ts'
import { type Environment, loadConfig } from '../../src/kernel/config/load.ts'
import type { Kernel } from '../../src/kernel/kernel.ts'
import { createLogger } from '../../src/kernel/observe/log.ts'
import { createFakeClock, type FakeClock } from '../../src/kernel/testing/fake-clock.ts'
import { type Program, type ProgramInput, startProgram } from '../../src/program.ts'
import { TestClient } from '../support/client.ts'
import { openTestDatabase } from '../support/database.ts'
import { openApiChecker } from '../support/openapi-check.ts'
import { filesModule } from './files-module.ts'
import { identityModule } from './identity-module.ts'
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
  /** A user of the tenant with these permissions (default: all on the notes), signed in. */
  person(tenantId: TenantId, permissions?: readonly string[]): Promise<TestClient>
  /** A key with a rate limit of its own. */
  apiKey(tenantId: TenantId, rateLimitPerMinute: number | null): TestClient
  /** A key of a service account with the permissions of a key. */
  agent(tenantId: TenantId): TestClient
  /** A service account's token of an outside issuer. */
  outsider(tenantId: TenantId): TestClient
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
  const people = createPeople()
  const files = filesModule({ maxBytes: 2_000_000, timeLimitMs: 3_000, storage: () => probe.storage })
  const modules = [notesModule, probeModule(probe), people.module, files]
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
    person: async (tenantId, permissions = ['risk:admin', 'compliance:admin']) =>
      stranger.with(await people.signIn(kernel, tenantId, permissions)),
    apiKey: (tenantId, perMinute) => stranger.with(people.apiKey(kernel, tenantId, perMinute)),
    agent: (tenantId) => stranger.with(people.apiKey(kernel, tenantId, null, true)),
    outsider: (tenantId) => stranger.with(people.outsideToken(kernel, tenantId)),
    setTenantStatus: (tenantId, status) => people.setTenantStatus(kernel, tenantId, status),
    setRequestQuota: people.setRequestQuota,
    setSetUp: people.setSetUp,
    close: async () => {
      await program.stop()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** An identity module in memory. */
function createPeople() {
  const permissionsOf = new Map<string, readonly string[]>()
  const statusOf = new Map<string, SubjectRights['tenantStatus']>()
  const quotaOf = new Map<string, number>()
  const agents = new Set<string>()
  const keys = new Map<string, StoredApiKey>()
  const outside = new Map<string, OutsideCredential>()
  let setUp = true
  const source: IdentitySource = {
    rights: async (tenantId, userId) => {
      const permissions = permissionsOf.get(userId)
      if (permissions === undefined) return null
      return {
        active: true,
        ...(agents.has(userId) && { isService: true as const }),
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
    outsideToken: async (token) => outside.get(token) ?? null,
    tenantsAbove: async () => [],
    isSetUp: () => setUp,
  }
  return {
    module: identityModule(source),
    signIn: async (kernel: Kernel, tenantId: TenantId, permissions: readonly string[]): Promise<string> => {
      const sub = kernel.random.uuid()
      permissionsOf.set(sub, permissions)
      const proof = { auth_time: Math.floor(kernel.clock.now() / 1000), amr: ['pwd'], acr: '1' }
      const claims = { sub, tid: tenantId, sid: kernel.random.uuid(), role: 'probe', permissions, ...proof }
      return (await kernel.auth.signAccess(claims)).token
    },
    apiKey: (kernel: Kernel, tenantId: TenantId, rateLimitPerMinute: number | null, ofAgent = false): string => {
      const made = makeApiKey(kernel.random)
      const ownerId = kernel.random.uuid()
      permissionsOf.set(ownerId, ['risk:admin'])
      if (ofAgent) agents.add(ownerId)
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
    outsideToken: (kernel: Kernel, tenantId: TenantId): string => {
      const [ownerId, token] = [kernel.random.uuid(), `e30.${kernel.random.base62(20)}.e30`]
      permissionsOf.set(ownerId, ['risk:admin'])
      agents.add(ownerId)
      const expiresAt = Math.floor(kernel.clock.now() / 1000) + 3_600
      outside.set(token, { bindingId: kernel.random.uuid(), tenantId, ownerId, expiresAt })
      return token
    },
    setTenantStatus: async (
      kernel: Kernel,
      tenantId: TenantId,
      status: SubjectRights['tenantStatus'],
    ): Promise<void> => {
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
