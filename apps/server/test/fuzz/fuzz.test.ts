import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DeclaredRoute, declaredRoutes } from '../generated/manifest.ts'
import { fillTenant } from '../generated/tenant-data.ts'
import { chosenKind } from '../support/database.ts'
import { held } from '../support/matrices.ts'
import { type OwnWorld, openWorld } from '../support/world.ts'
import { isDeclaredBody } from './body-verdict.ts'
import { type Caller, type Callers, makeCallers } from './callers.ts'
import { createJudge, type FuzzAnswer, type Judge, shown } from './oracles.ts'
import { type FuzzRequest, requestsFor } from './requests.ts'
import { type Resources, resourcesOf } from './resources.ts'
import { allowed, apart, runsOf, stages, whoAsks } from './stages.ts'

/** Long for any answer; a request without one would otherwise end the run without its name. */
const patienceMs = 30_000

let world: OwnWorld
let callers: Callers
let judge: Judge
let resources: Resources
let spared: Resources
const counts = new Map<string, number>()
const succeeded = new Set<string>()

async function send(request: FuzzRequest, caller: Caller): Promise<FuzzAnswer> {
  const { method, url, payload } = request
  const answer = await patiently(
    world.program.app.inject({
      method: method as 'GET',
      url,
      headers: { ...caller.headersFor(url), ...request.headers },
      ...(payload === undefined ? {} : { payload }),
      // Wrong passwords from one address would keep everybody at it out.
      remoteAddress: `10.${request.pick % 200}.${request.pick % 251}.7`,
    }),
  )
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload }
}

/** @throws Error when nothing comes */
async function patiently<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${patienceMs} ms`)), patienceMs)
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}

function isAllowed({ name }: DeclaredRoute, { status, text }: FuzzAnswer): boolean {
  const code = /"(?:error_)?code":"([A-Z]+-\d{3})"/.exec(text)?.[1]
  return `${name} ${status} ${code}` in allowed
}

async function ask(declared: DeclaredRoute, symbolic: FuzzRequest): Promise<readonly string[]> {
  const who = whoAsks(declared)
  const all = callers.of(who, declaredRoutes.indexOf(declared))
  const caller = all[symbolic.caller % all.length]
  if (caller === undefined) return ['has no caller']
  const known = who === 'spare' ? spared : resources
  const request = known.resolve(symbolic)
  const answer = await send(request, caller)
  counts.set(declared.name, (counts.get(declared.name) ?? 0) + 1)
  if (answer.status < 300) succeeded.add(declared.name)
  known.note(declared.path, answer)
  if (answer.status === 401 && request.headers.authorization === undefined) await caller.renew().catch(() => {})
  const asked = { request, isRaw: declared.route.raw !== null, isOperator: caller.isOperator }
  const failed =
    answer.status >= 500 && !isAllowed(declared, answer) ? [`${answer.status} ${answer.text.slice(0, 300)}`] : []
  const taken = answer.status < 300 && !isDeclaredBody(declared, request) ? ['takes a body that is not declared'] : []
  const faults = [...failed, ...taken, ...judge(asked, answer)]
  return faults.length === 0 ? [] : [`${faults.join('; ')}\n  ${shown(request, caller.name)}`]
}

/** Requests for one route, and the smallest of those with a wrong answer. */
async function fuzz(declared: DeclaredRoute): Promise<readonly string[]> {
  const property = fc.asyncProperty(requestsFor(declared), async (request) => {
    const faults = await ask(declared, request)
    if (faults.length > 0) throw new Error(faults.join('\n'))
  })
  const run = await fc.check(property, { numRuns: runsOf(declared) })
  if (!run.failed) return []
  const told = run.errorInstance instanceof Error ? run.errorInstance.message : String(run.errorInstance)
  return [`seed ${run.seed}, path ${run.counterexamplePath}: ${told}`]
}

// All databases refuse the same values; rows.test.ts compares them.
describe.runIf(chosenKind() === 'pglite')('C20 C40 C41 requests made from the declarations, right and hostile', () => {
  beforeAll(async () => {
    world = await openWorld({ own: true })
    const [own, foreign, spare, people] = [
      await world.tenant('alpha'),
      await world.tenant('canary-c61f09'),
      await world.tenant('gamma'),
      await world.tenant('delta'),
    ]
    const filled = await fillTenant(own)
    const others = await fillTenant(foreign)
    resources = resourcesOf(filled.ids, { tenant_id: own.id })
    spared = resourcesOf({ tenant_id: spare.id }, { tenant_id: spare.id })
    callers = await makeCallers(world, { own, spare, people })
    const document = (await world.program.app.inject('/openapi.json')).json()
    judge = createJudge(document, {
      foreignIds: new Set([...others.everyId].filter((id) => !filled.everyId.has(id))),
      foreignWord: 'canary-c61f09',
      places: [process.cwd(), world.kernel.config.dataDir],
    })
  })
  afterAll(() => world.close())

  it('knows no route that is gone', () => {
    expect(Object.keys(apart).filter((name) => !declaredRoutes.some((declared) => declared.name === name))).toEqual([])
    const placed = new Set(stages.flatMap(({ routes }) => routes))
    expect(declaredRoutes.filter((declared) => !placed.has(declared)).map(({ name }) => name)).toEqual([])
  })

  for (const { name, routes } of stages) {
    it(`get a right answer from the ${routes.length} routes ${name}`, { timeout: 600_000 }, async () => {
      const failures: string[] = []
      for (const declared of routes)
        failures.push(...(await fuzz(declared)).map((fault) => `${declared.name}: ${fault}`))
      expect(failures).toEqual([])
    })
  }

  // A run that is refused everywhere would find nothing, so what was done is counted too.
  it('were many, left no route out and did what most routes are for', () => {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    expect(
      declaredRoutes.filter((declared) => (counts.get(declared.name) ?? 0) < runsOf(declared)).map(({ name }) => name),
    ).toEqual([])
    held('fuzzed requests', total)
    held('routes that were fuzzed into doing something', succeeded.size)
  })
})
