/**
 * The whole program on a database, set up the way an operator would: first administrator by bootstrap, two
 * twin tenants, a person per role on demand. Calls go through the HTTP layer without a socket.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuiltinRoleName, TenantId } from '../../src/kernel/access/actor.ts'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { type Environment, loadConfig } from '../../src/kernel/config/load.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { Kernel } from '../../src/kernel/kernel.ts'
import type { Module } from '../../src/kernel/module/module.ts'
import { distributorKey } from '../../src/modules/admin/licenses/testing/licenses.ts'
import type { IamServices } from '../../src/modules/iam/services/iam-services.ts'
import { modules } from '../../src/modules.ts'
import { type Program, type ProgramInput, startProgram } from '../../src/program.ts'
import { type TestAnswer, TestClient } from './client.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { openApiChecker } from './openapi-check.ts'
import { runFolder } from './run-folder.ts'

export const password = 'correct horse battery staple 42'

export interface TestTenant {
  readonly id: TenantId
  readonly slug: string
  /** The tenant's first administrator, signed in. */
  readonly admin: TestClient
  /** A person with this role, made and signed in at first use. */
  as(role: BuiltinRoleName): Promise<TestClient>
  /** Of its program: for samples that no route makes. */
  readonly kernel: Kernel
}

/** A running program. By default the test files of a worker share one, and each works in tenants of its own. */
export interface World {
  readonly program: Omit<Program, 'stop'>
  readonly kernel: Kernel
  /** Without a credential. */
  readonly stranger: TestClient
  /** Makes a tenant below the root, by default without settings of its own, and signs its administrator in. A shared world adds a number to the slug. */
  tenant(slug: string, settings?: object): Promise<TestTenant>
  /** Changes quotas of a tenant, as an operator of the platform does. */
  setQuotas(tenant: TestTenant, quotas: object): Promise<void>
  signIn(email: string, tenantId?: string): Promise<TestClient>
  /** The program on a local port, opened at first use: `http://127.0.0.1:<port>` */
  address(): Promise<string>
  /** Does nothing to a shared one. */
  close(): Promise<void>
}

/** A program that one test file has to itself. */
export interface OwnWorld extends World {
  readonly program: Program
  /** The platform's operator, signed in; lives in the root tenant. */
  readonly operator: TestClient
  readonly root: TestTenant
}

export interface WorldOptions extends Pick<ProgramInput, 'log' | 'accessLog'> {
  /** Says that a file with the default options has an effect on the whole installation, or counts all that happens there. */
  readonly own?: true
  readonly environment?: Environment
  /** Default: all of them. */
  readonly modules?: readonly Module[]
  /** Default: an empty database of the kind the environment asks for. */
  readonly database?: TestDatabase
}

/**
 * The world of this worker without options, a world of the file's own with options.
 *
 * @example const world = await openWorld(); const tenant = await world.tenant('acme')
 */
export function openWorld(): Promise<World>
export function openWorld(options: WorldOptions): Promise<OwnWorld>
export function openWorld(options?: WorldOptions): Promise<World> {
  return options === undefined ? openSharedWorld() : openOwnWorld(options)
}

let shared: Promise<OwnWorld> | undefined
let tenants = 0

/** Never closed: it ends with its worker, and the run removes its folder and its database. */
async function openSharedWorld(): Promise<World> {
  shared ??= openOwnWorld({})
  const { tenant, program, kernel, stranger, setQuotas, signIn, address } = await shared
  return {
    ...{ program, kernel, stranger, setQuotas, signIn, address },
    tenant: (slug, settings) => {
      tenants += 1
      return tenant(`${slug}-${tenants}`, settings)
    },
    close: async () => {},
  }
}

async function openOwnWorld(options: WorldOptions): Promise<OwnWorld> {
  const database = options.database ?? (await openTestDatabase(schemaOf(modules)))
  const folder = await mkdtemp(join(runFolder(), 'parapet-world-'))
  const config = loadConfig({
    PARAPET_DATA_DIR: folder,
    PARAPET_LOG_LEVEL: 'error',
    PARAPET_ACCESS_LOG: 'false',
    PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8',
    PARAPET_LICENSE_KEYS: distributorKey,
    PARAPET_RATE_LIMIT_API: '1000000',
    PARAPET_RATE_LIMIT_INFERENCE: '1000000',
    PARAPET_RATE_LIMIT_EXPENSIVE: '1000000',
    PARAPET_RATE_LIMIT_CREDENTIAL: '1000000',
    PARAPET_RATE_LIMIT_STOP: '1000000',
    ...options.environment,
  })
  const program = await startProgram({
    config,
    driver: database.driver,
    checkEvents: true,
    modules: options.modules ?? modules,
    ...(options.log === undefined ? {} : { log: options.log }),
    ...(options.accessLog === undefined ? {} : { accessLog: options.accessLog }),
  })
  await holdSchedule(program)
  const document = await program.app.inject('/openapi.json')
  const stranger = new TestClient(program.app, openApiChecker(document.payload), '')
  const signIn = signInWith(stranger)
  const rootId = await bootstrap(program, stranger)
  const operator = await signIn(operatorEmail)
  const current = keptFresh(program.assembled.kernel, operator, signIn)
  let listening: Promise<string> | undefined
  return {
    program,
    kernel: program.assembled.kernel,
    stranger,
    operator,
    root: {
      ...{ id: rootId, slug: 'root', admin: operator, as: people(operator, 'root', signIn) },
      kernel: program.assembled.kernel,
    },
    tenant: (slug, settings = {}) =>
      current().then((fresh) =>
        makeTenant({ operator: fresh, stranger, signIn, kernel: program.assembled.kernel }, { slug, settings }),
      ),
    setQuotas: async ({ id }, quotas) => {
      expectStatus(await (await current()).patch(`/iam/tenants/${id}`, { quotas }), 200)
    },
    signIn,
    address: () => {
      listening ??= program.app.listen({ port: 0, host: '127.0.0.1' })
      return listening
    },
    close: async () => {
      await program.stop()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Claims all future runs of repeating jobs, before there is a tenant. Only the test itself sweeps the data it has
 * prepared, on whichever side of a full minute, hour or day it runs.
 */
async function holdSchedule({ assembled }: Program): Promise<void> {
  const kinds = assembled.modules.jobs.map(({ declared }) => declared.kind)
  await assembled.kernel.db.system('test', (tx) =>
    tx.execute(sql`
      insert into job_schedule (kind, period)
      select kind, ${Number.MAX_SAFE_INTEGER}::bigint from unnest(${kinds}::text[]) as repeating(kind)
      on conflict (kind) do update set period = excluded.period`),
  )
}

type SignIn = World['signIn']

const operatorEmail = 'operator@root.example'
const freshMs = 180_000

/** The operator with a sign-in of the last minutes: a shared world outlives one, and making a tenant takes a fresh one. */
function keptFresh({ clock }: Kernel, operator: TestClient, signIn: SignIn): () => Promise<TestClient> {
  let [signedInAt, last] = [clock.now(), Promise.resolve(operator)]
  return () => {
    if (clock.now() - signedInAt > freshMs) [signedInAt, last] = [clock.now(), signIn(operatorEmail)]
    return last
  }
}

function signInWith(stranger: TestClient): SignIn {
  return async (email, tenantId) => {
    const answer = await stranger.post(
      '/auth/login',
      { email, password },
      tenantId === undefined ? {} : { headers: { 'x-tenant-id': tenantId } },
    )
    return stranger.with(expectStatus(answer, 200).body.data.access_token)
  }
}

async function bootstrap(program: Program, stranger: TestClient): Promise<TenantId> {
  const iam = program.assembled.modules.servicesOf('iam') as IamServices
  const { token } = await iam.setup.ensure()
  const answer = await stranger.post('/auth/bootstrap', {
    setup_token: token,
    tenant: { name: 'Root', slug: 'root' },
    admin: { email: operatorEmail, display_name: 'Operator', password },
  })
  return expectStatus(answer, 201).body.data.tenant.id
}

interface Makers {
  readonly kernel: Kernel
  readonly operator: TestClient
  readonly stranger: TestClient
  readonly signIn: SignIn
}

async function makeTenant(
  { operator, stranger, signIn, kernel }: Makers,
  { slug, settings }: { readonly slug: string; readonly settings: object },
): Promise<TestTenant> {
  const admin_email = `admin@${slug}.example`
  const body = { name: slug, slug, admin_email, settings }
  const made = expectStatus(await operator.post('/iam/tenants', body), 201).body.data
  await accept(stranger, made.invitation_url)
  const admin = await signIn(admin_email, made.id)
  return { id: made.id, slug, admin, as: people(admin, slug, signIn), kernel }
}

/** Takes an invitation from its link, as the invited person would. */
export async function accept(stranger: TestClient, invitationUrl: string): Promise<void> {
  const token = invitationUrl.split('#')[1] ?? ''
  expectStatus(await stranger.post('/auth/invitations/accept', { token, password }), 200)
}

function people(admin: TestClient, slug: string, signIn: SignIn): TestTenant['as'] {
  const made = new Map<string, Promise<TestClient>>()
  const make = async (role: BuiltinRoleName): Promise<TestClient> => {
    const roles = expectStatus(await admin.get('/iam/roles'), 200).body.data as readonly {
      readonly id: string
      readonly name: string
    }[]
    const roleId = roles.find((candidate) => candidate.name === role)?.id
    const email = `${role.replaceAll('_', '-')}@${slug}.example`
    const user = expectStatus(await admin.post('/iam/users', { email, role_ids: [roleId], delivery: 'invite' }), 201)
      .body.data
    await accept(admin.with(''), user.invitation_url)
    return signIn(email, user.tenant_id)
  }
  return (role) => {
    const known = made.get(role) ?? make(role)
    made.set(role, known)
    return known
  }
}

/** @throws Error that shows the answer, which an assertion on a number would hide */
export function expectStatus(answer: TestAnswer, status: number): TestAnswer {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`)
  return answer
}
