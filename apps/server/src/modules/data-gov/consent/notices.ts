/** Notices: each edition stays as it was shown. Tested in consents.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { create, newRow, resource } from '../../../kernel/resource/resource.ts'
import type { NewConsent, NoticeRow } from '../declared/consent-schema.ts'
import { notices } from '../declared/consent-tables.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { consentTopic } from './memory.ts'

const noticeResource = resource({ table: notices, kind: 'data_gov_notice' })

export interface Publishing {
  readonly actor: Actor
  readonly input: NonNullable<NewConsent['notice']>
}

/** The first edition, or the next one of the same key, which takes the place of the one before. */
export async function publishNotice(
  { kernel }: Pick<DataGovServices, 'kernel'>,
  tx: Tx,
  { actor, input }: Publishing,
): Promise<NoticeRow> {
  await tx.lock('data_gov.notice', `${tx.tenantId} ${input.key}`)
  const before = await tx.first(sql<{ edition: number }>`
    select max(edition)::int as edition from data_gov_notice where key = ${input.key} having count(*) > 0`)
  await tx.execute(sql`
    update data_gov_notice set status = 'superseded', version = version + 1, updated_at = ${kernel.clock.iso()}
    where key = ${input.key} and status = 'current'`)
  const row: NoticeRow = {
    ...newRow(kernel, tx),
    ...{ key: input.key, edition: (before?.edition ?? 0) + 1, title: input.title, controller: input.controller },
    ...{ purposes: input.purposes, withdrawal_method: input.withdrawal_method },
    ...{ languages: input.languages ?? [], jurisdictions: input.jurisdictions ?? [] },
    // Nobody is bound by a change that may matter until a person says that it does not.
    material_change: before !== null && (input.material_change ?? true),
    ...{ effective_from: input.effective_from ?? kernel.clock.iso(), status: 'current', created_by: actor.userId },
  }
  await create(tx, noticeResource, row, {
    action: 'data_gov.consent.create',
    after: ({ key, edition, purposes }) => ({ key, edition, purposes: purposes.map(({ purpose }) => purpose) }),
  })
  await tx.announce(consentTopic, '*')
  return row
}

export function noticeView({ version: _version, created_by: _by, ...shown }: NoticeRow) {
  return shown
}
