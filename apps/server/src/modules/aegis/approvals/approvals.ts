/** The queue of approvals. Tested in approvals.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { isPerson } from '../../../kernel/second-person/people.ts'
import { type Approval, type ApprovalFilter, approvalView } from './schema.ts'
import { approvals } from './table.ts'

export interface Queue {
  readonly page: PageRequest
  readonly filter: ApprovalFilter
  readonly actor: Actor
  /** Unix milliseconds. */
  readonly now: number
}

export async function listApprovals(tx: Tx, { page, ...asked }: Queue): Promise<Page<Versioned<Approval>>> {
  const found = await approvals.page(tx, page, join([sql`true`, ...conditions(asked)], ' and '))
  return { ...found, items: found.items.map((row) => new Versioned(approvalView(row), row.version)) }
}

function conditions({ filter, actor, now }: Omit<Queue, 'page'>): readonly SqlPart[] {
  const { status, approver, agent_id: agent, older_than_seconds: age, q } = filter
  return [
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(approver === undefined ? [] : [decidableBy(actor, now)]),
    ...(agent === undefined ? [] : [sql`agent_id = ${agent}`]),
    ...(age === undefined ? [] : [sql`created_at <= ${new Date(now - age * 1_000).toISOString()}`]),
    ...(q === undefined ? [] : [sql`(lower(tool) like ${likePrefix(q)} or lower(server) like ${likePrefix(q)})`]),
  ]
}

/** The part of the rule in decide.ts that the row alone decides; the origin of credentials is checked at decision. */
function decidableBy(actor: Actor, now: number): SqlPart {
  if (!isPerson(actor)) return sql`false`
  return sql`(
    status = 'pending' and expires_at > ${new Date(now).toISOString()}
    and user_id is distinct from ${actor.userId}::uuid
    and (approver_roles = '{}' or approver_roles && ${[...actor.roles]}::text[])
    and not exists (
      select from jsonb_array_elements(decisions) made where made ->> 'by' = ${actor.userId}))`
}
