/** A report is asked for: a row and the job that makes its files. Tested in reports.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { create, newRow, resource } from '../../../kernel/resource/resource.ts'
import type { ReportKind } from '../declared/report-words.ts'
import { errors } from '../errors/errors.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import type { NewReport, ReportRow } from './schema.ts'
import { sectionsOf, titles } from './sections.ts'
import { reports } from './tables.ts'

export const reportJobKind = 'platform.report'

export const reportResource = resource({ table: reports, kind: 'platform_report' })

export interface ReportRequest {
  readonly actor: Pick<Actor, 'userId' | 'permissions'>
  readonly input: Omit<NewReport, 'schedule'>
  readonly workflowId: string | null
}

/** @throws PLAT-006 for sections that do not exist, or where the requester may read none of them */
export async function requestReport(
  services: PlatformServices,
  tx: Tx,
  { actor, input, workflowId }: ReportRequest,
): Promise<ReportRow> {
  const { kernel } = services
  const wanted = sectionsFor(services, input)
  const permitted = wanted.filter(({ permission }) => holds(actor.permissions, permission))
  if (permitted.length === 0)
    throw errors
      .reportInvalid({ what: `You may read none of its sections: ${wanted.map(({ name }) => name).join(', ')}.` })
      .at([{ detail: 'has no section that you may read', pointer: '/kind' }])
  const row: ReportRow = {
    ...newRow(kernel, tx),
    ...{ kind: input.kind, title: input.title ?? titles[input.kind], formats: [...new Set(input.formats)] },
    parameters: { days: input.parameters?.days ?? 30, sections: permitted.map(({ name }) => name) },
    ...{ status: 'queued', progress: 0, snapshot_at: null, failure: null, workflow_id: workflowId },
    omitted: wanted.filter((one) => !permitted.includes(one)).map(({ name }) => name),
    created_by: actor.userId,
    permissions: [...new Set(permitted.map(({ permission }) => permission))],
  }
  await create(tx, reportResource, row, { action: 'platform.report.create' })
  await tx.enqueue({ kind: reportJobKind, key: row.id, payload: { report_id: row.id } })
  return row
}

/** Sections of a request with the permission that each takes. @throws PLAT-006 */
export function sectionsFor(
  { facts }: PlatformServices,
  { kind, parameters }: Pick<ReportRequest['input'], 'kind' | 'parameters'>,
) {
  const named = parameters?.sections
  const wrong = (what: string) => errors.reportInvalid({ what }).at([{ detail: what, pointer: '/parameters/sections' }])
  if (kind === 'custom' && named === undefined) throw wrong('A custom report needs `sections`: names of facts.')
  if (kind !== 'custom' && named !== undefined)
    throw wrong('`sections` are for the kind custom; others have their own.')
  const names = named ?? sectionsOf[kind as Exclude<ReportKind, 'custom'>]
  const known = facts().all
  return [...new Set(names)].map((name) => {
    const fact = known.get(name)
    if (fact === undefined) throw wrong(`There is no fact ${name}.`)
    return { name, permission: fact.permission }
  })
}
