import type { Tx } from '../../../kernel/db/port.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import type { SourceRow } from '../declared/source-schema.ts'
import { sources } from '../declared/source-tables.ts'
import { errors } from '../errors/errors.ts'

export const sourceResource = resource<SourceRow>({
  table: sources,
  kind: 'svc_ai_source',
  unique: {
    svc_ai_source_unique_name: ({ name }) => errors.nameTaken({ name }).at([{ detail: 'is taken', pointer: '/name' }]),
  },
})

/** The kind of job that indexes a source. */
export const syncKind = 'svc_ai.source.sync'

/** At most one job of a source waits. */
export const queueSync = (tx: Tx, id: string): Promise<void> =>
  tx.enqueue({ kind: syncKind, key: id, payload: { source_id: id } })
