/**
 * Reads an uploaded log for AI services. The log is a sealed blob while it is read and is discarded after it: only the
 * counts stay. Promises that a log that cannot be read changes nothing, and that the same log answers its first
 * ingestion. Tested in ingestion.test.ts.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { isTimeZone } from '../../../../kernel/base/time-zone.ts'
import type { TenantScope } from '../../../../kernel/db/port.ts'
import { Answer, type UploadedFile } from '../../../../kernel/module/route.ts'
import type { Ingestion, IngestionQuery, IngestionRow } from '../declared/ingestion-schema.ts'
import type { ShadowAiParts } from '../declared/parts.ts'
import { shadowAiSettings } from '../declared/settings.ts'
import { tenantEntries } from '../declared/tenant-catalog.ts'
import { readerOf } from '../formats/formats.ts'
import { FormatFault } from '../formats/record.ts'
import type { Matchable } from '../matching/host-index.ts'
import { peopleOf } from './people.ts'
import { faultProblem, type LogReading, readLog, storable } from './read-log.ts'
import { ingestionOf, storeFinding } from './store.ts'
import type { LogTotals } from './totals.ts'

/** Clocks of proxies run a little ahead. */
const aheadMs = 86_400_000
const defaultFormat = 'squid'
/** Uses between two turns of the event loop. */
const atATime = 5_000

export interface LogToIngest {
  readonly scope: TenantScope
  readonly upload: UploadedFile
  readonly query: IngestionQuery
}

/** @throws AEGIS-012 */
export async function ingest(parts: ShadowAiParts, log: LogToIngest): Promise<Answer<Ingestion>> {
  const { kernel } = parts
  const { tenantId } = log.scope
  refuseOptions(log.query)
  const { row, isKnown } = await ingested(parts, log)
  kernel.background('discarding a log that was read', kernel.blobs.discard(tenantId, log.upload.id))
  return answerOf(row, isKnown ? 200 : 201)
}

async function ingested(parts: ShadowAiParts, { scope, upload, query }: LogToIngest) {
  const { kernel, iam } = parts
  const { tenantId } = scope
  const begun = await kernel.db.tenant({ tenantId, readOnly: true }, async (tx) => ({
    known: await ingestionOf(tx, upload.sha256),
    entries: (await tenantEntries(tx)).map(matchable),
    blob: await kernel.blobs.open(tx, upload.id),
  }))
  if (begun.known !== null) return { row: begun.known, isKnown: true }
  const totals = await readLog(kernel, begun.blob.read(), readingOf(parts, query, begun.entries))
  const { pseudonymize_users: pseudonymize } = kernel.settings.get(shadowAiSettings, tenantId)
  const named = await namesIn(totals)
  const people = await peopleOf(kernel, tenantId, named, { directory: iam, pseudonymize })
  const allowedRegions = await iam.dataResidency(tenantId)
  const facts = {
    ...{
      format: query.format ?? defaultFormat,
      source: query.source ?? null,
      sha256: upload.sha256,
      bytes: upload.bytes,
    },
    failed_samples: pseudonymize ? [] : totals.samples.map(storable),
  }
  return kernel.db.tenant(scope, (tx) => storeFinding(parts, tx, { totals, people, allowedRegions, facts }))
}

/** Names and addresses of users, each once. */
async function namesIn({ uses }: LogTotals): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  let seen = 0
  for (const { user } of uses.values()) {
    names.add(user)
    seen += 1
    if (seen % atATime === 0) await nextTurn()
  }
  return names
}

/** Before anything is read. @throws AEGIS-012 */
function refuseOptions({ format = defaultFormat, tz, columns: named }: IngestionQuery): void {
  const [zone, columns] = [tz ?? null, named ?? null]
  if (zone !== null && !isTimeZone(zone))
    throw faultProblem({ message: `${zone} is no time zone. Name one of the IANA list, such as UTC.`, parameter: 'tz' })
  try {
    readerOf(format, { zone, columns })
  } catch (error) {
    throw error instanceof FormatFault ? faultProblem(error) : error
  }
}

const matchable = ({ slug, name, category, hosts }: Matchable): Matchable => ({ slug, name, category, hosts })

function readingOf(
  { kernel }: ShadowAiParts,
  { format = defaultFormat, tz, columns }: IngestionQuery,
  entries: readonly Matchable[],
): LogReading {
  const options = { zone: tz ?? null, columns: columns ?? null }
  return { format, options, entries, notAfter: kernel.clock.now() + aheadMs }
}

function answerOf(row: IngestionRow, status: 200 | 201): Answer<Ingestion> {
  const { version: _version, period_from: from, period_to: to, ...shown } = row
  const period = from === null || to === null ? null : { from, to }
  return new Answer({ ...shown, period, status: 'completed' as const, progress: 1 }, { status })
}
