/** Requirements for a route's targets, checked before they are stored. Tested in routes.test.ts. */

import { isTimeZone } from '../../../kernel/base/time-zone.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { IamApi } from '../../iam/api.ts'
import { errors } from '../declared/errors.ts'
import { echoModels } from '../providers/adapters/echo/echo.ts'
import type { StoredTarget, TargetInput } from '../route-model/schemas.ts'
import { matchesAny } from '../words/globs.ts'
import type { ProviderKind } from '../words/provider-kinds.ts'

interface Owner {
  readonly id: string
  readonly name: string
  readonly kind: ProviderKind
  readonly models: readonly string[]
}

type Directory = Pick<IamApi, 'knownPrincipals' | 'knownServiceAccounts'>

/** The targets with their providers' ids; the providers stay as they are until the transaction ends. @throws API-001, GW-001 */
export async function knownTargets(iam: Directory, tx: Tx, targets: readonly TargetInput[]): Promise<StoredTarget[]> {
  checkForm(targets)
  const names = targets.map(({ provider }) => provider)
  const owners = await tx.query(
    sql<Owner>`
      select id, name, kind, models from gateway_provider
      where name = any(${names}::text[])
      order by id
      for share`,
  )
  await checkCallers(iam, tx, targets)
  return targets.map((target, index) => {
    const owner = owners.find(({ name }) => name === target.provider)
    if (owner === undefined) throw unknown(`There is no provider ${target.provider}.`, `/targets/${index}/provider`)
    if (!mayServe(owner, target.model))
      throw unknown(`The provider ${target.provider} has no model ${target.model}.`, `/targets/${index}/model`)
    return {
      provider: target.provider,
      provider_id: owner.id,
      model: target.model,
      weight: target.weight ?? 1,
      priority: target.priority ?? 0,
      conditions: target.conditions ?? null,
    }
  })
}

function mayServe({ kind, models }: Owner, model: string): boolean {
  if (kind === 'echo') return echoModels.some((name) => name === model)
  return models.length === 0 || matchesAny(models, model)
}

function checkForm(targets: readonly TargetInput[]): void {
  targets.forEach(({ conditions }, index) => {
    const zone = conditions?.time?.time_zone
    if (zone === undefined || isTimeZone(zone)) return
    const detail = `There is no time zone ${zone}.`
    throw apiErrors
      .validation({ what: detail })
      .at([{ detail, pointer: `/targets/${index}/conditions/time/time_zone` }])
  })
}

/** A target that waits for the calls of a key or agent that is not there would wait for ever. */
async function checkCallers(iam: Directory, tx: Tx, targets: readonly TargetInput[]): Promise<void> {
  const keys = targets.flatMap(({ conditions }) => conditions?.keys ?? [])
  const agents = targets.flatMap(({ conditions }) => conditions?.agents ?? [])
  const known = {
    keys: keys.length === 0 ? nobody : await iam.knownPrincipals(tx, { users: [], keys }),
    agents: agents.length === 0 ? nobody : await iam.knownServiceAccounts(tx, agents),
  }
  targets.forEach(({ conditions }, index) => {
    for (const kind of ['keys', 'agents'] as const) {
      const at = (conditions?.[kind] ?? []).findIndex((id) => !known[kind].has(id))
      if (at < 0) continue
      const detail = `There is no ${kind.slice(0, -1)} ${conditions?.[kind]?.[at]}.`
      throw unknown(detail, `/targets/${index}/conditions/${kind}/${at}`)
    }
  })
}

const nobody: ReadonlySet<string> = new Set()

function unknown(detail: string, pointer: string) {
  return errors.unknownTarget({ what: detail }).at([{ detail, pointer }])
}
