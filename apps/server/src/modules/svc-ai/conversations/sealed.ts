/** Messages and pinned facts in their sealed rows. Nothing here runs inside a transaction. Tested in chat.test.ts. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { MessageContent, MessageRow, PinRow } from '../declared/conversation-schema.ts'
import { messages, pins } from '../declared/conversation-tables.ts'
import { openJson, sealJson } from '../postings/sealing.ts'

type Parts = Pick<Kernel, 'db' | 'tenantKeys'>

export const sealMessage = ({ tenantKeys }: Parts, tenantId: TenantId, id: string, content: MessageContent) =>
  sealJson(tenantKeys, { tenantId, table: messages.name, id }, content)

export const sealPin = ({ tenantKeys }: Parts, tenantId: TenantId, id: string, text: string) =>
  sealJson(tenantKeys, { tenantId, table: pins.name, id }, text)

export interface OpenedMessage {
  readonly row: MessageRow
  readonly content: MessageContent
}

export interface MessagePage {
  readonly conversationId: string
  /** Position after which it begins; 0 for the first. */
  readonly after: number
  readonly limit: number
}

/** Oldest first. */
export async function readMessages(
  { db, tenantKeys }: Parts,
  tenantId: TenantId,
  { conversationId, after, limit }: MessagePage,
): Promise<readonly OpenedMessage[]> {
  const rows = await db.read(
    tenantId,
    sql<MessageRow>`select ${messages.columns} from svc_ai_message
      where conversation_id = ${conversationId} and position > ${after} order by position limit ${limit}`,
  )
  const opened: OpenedMessage[] = []
  for (const row of rows) {
    const place = { tenantId, table: messages.name, id: row.id }
    opened.push({ row, content: (await openJson(tenantKeys, place, row.sealed)) as MessageContent })
  }
  return opened
}

export interface Pin {
  readonly id: string
  readonly text: string
}

export async function readPins({ db, tenantKeys }: Parts, tenantId: TenantId, conversationId: string): Promise<Pin[]> {
  const rows = await db.read(
    tenantId,
    sql<PinRow>`select ${pins.columns} from svc_ai_pin where conversation_id = ${conversationId} order by created_at, id`,
  )
  const opened: Pin[] = []
  for (const { id, sealed } of rows)
    opened.push({ id, text: String(await openJson(tenantKeys, { tenantId, table: pins.name, id }, sealed)) })
  return opened
}
