/**
 * Columns of sources that are read by a job: tables of a PostgreSQL database, an object of a bucket, tables of the platform
 * itself with their encrypted content, and the content of model calls. Samples are in memory alone. Tested in
 * source-scans.test.ts.
 */
import { isRecord } from '../../../kernel/base/is-record.ts'
import { EgressError } from '../../../kernel/egress/errors.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { SecretUnreadable } from '../../../kernel/named-secrets/unreadable.ts'
import { createS3Objects } from '../../../kernel/s3/objects.ts'
import { s3PlaceOf } from '../../../kernel/s3/place.ts'
import type { NewScan } from '../declared/scan-schema.ts'
import { errors } from '../errors/errors.ts'
import { gatewaySample, ownTable } from './own-sources.ts'
import { postgresTables } from './postgres-source.ts'
import { readFile } from './read-file.ts'
import type { Reading, SampledDataset } from './reading.ts'

const mostBytes = 20 * 1_048_576

/** @throws DGOV-001, DGOV-002 */
export async function readSource(kernel: Kernel, reading: Reading): Promise<readonly SampledDataset[]> {
  const { kind, postgres, s3, table } = reading.connection
  try {
    if (kind === 'gateway_sample') return [await gatewaySample(kernel, reading)]
    if (postgres !== undefined) return await postgresTables(kernel, reading, postgres)
    if (s3 !== undefined) return [await bucketObject(kernel, reading, s3)]
    if (table !== undefined) return [await ownTable(kernel, reading, table)]
    return []
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw errors.sourceUnreadable({ what: reasonOf(error) }).causedBy(error)
  }
}

/** Never an address that a name resolved to, and never a piece of a secret. */
function reasonOf(error: unknown): string {
  if (error instanceof EgressError) return `The source cannot be reached: ${error.brief}.`
  if (error instanceof SecretUnreadable) return error.message
  if (isRecord(error) && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code))
    return `The database refuses: SQLSTATE ${error.code}.`
  if (error instanceof Error && /^(the bucket|must be)/.test(error.message)) return `The bucket: ${error.message}.`
  return isRecord(error) && error.code === 'ENOTFOUND'
    ? 'The name of the server does not resolve.'
    : 'The source cannot be read. Check its address, its name and the rights of the account.'
}

type Bucket = NonNullable<NewScan['source']['s3']>

async function bucketObject(
  kernel: Kernel,
  { tenantId }: Reading,
  { address, region, secret, object }: Bucket,
): Promise<SampledDataset> {
  const credential = await kernel.namedSecrets.read({ tenantId, text: secret })
  const place = s3PlaceOf(address, { region, credential })
  const objects = createS3Objects(kernel, place)
  const size = await objects.size(object)
  if (size === null) throw errors.sourceUnreadable({ what: 'The bucket has no such object. Check `s3.object`.' })
  if (size > mostBytes)
    throw errors.fileRefused({ what: `The object has ${size} bytes; objects up to ${mostBytes} bytes are read.` })
  const chunks: Uint8Array[] = []
  if (size > 0) for await (const chunk of objects.read(object)) chunks.push(chunk)
  const columns = await readFile(kernel.unpack, object, Buffer.concat(chunks))
  const namespace = `s3://${place.bucket}`
  const population = Math.max(0, ...columns.map(({ texts }) => texts.length))
  return { namespace, name: `${place.prefix}${object}`, columns, population }
}
