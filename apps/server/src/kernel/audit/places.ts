/** The places beyond the folder that get signed checkpoints, as the settings of the start name them. */

import { readFileSync } from 'node:fs'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/load.ts'
import type { Egress } from '../egress/fetch.ts'
import { s3PlaceOf } from '../s3/place.ts'
import { createWebhookSink } from './checkpoint-sinks.ts'
import type { CheckpointPlace } from './deliver.ts'
import { createS3Sink } from './s3-sink.ts'
import { createSyslogSink } from './syslog-sink.ts'

interface Settings {
  readonly config: Config
  readonly clock: Clock
}

interface WayOut {
  readonly egress: Pick<Egress, 'fetch' | 'dial'>
}

/** @throws Error with words for the operator when the secret of one is missing or malformed */
export function checkpointPlaces(settings: Settings, way: WayOut): readonly CheckpointPlace[] {
  return [webhook, bucket, syslog].flatMap((place) => place(settings, way) ?? [])
}

type Make = (settings: Settings, way: WayOut) => CheckpointPlace | null

const webhook: Make = ({ config, clock }, { egress }) => {
  const { checkpointWebhook: url, checkpointWebhookSecret: secret } = config
  return url === null
    ? null
    : { name: 'webhook', sink: createWebhookSink({ egress, clock, url, secret: secret ?? '' }) }
}

const bucket: Make = ({ config, clock }, { egress }) => {
  const { checkpointS3: address, checkpointS3Region: region, checkpointS3Key: credential } = config
  if (address === null) return null
  const place = s3PlaceOf(address, { region, credential: credential ?? '' })
  const { checkpointS3Lock: mode, checkpointS3LockDays: days } = config
  return { name: 's3', sink: createS3Sink({ egress, clock, place, lock: mode === 'none' ? null : { mode, days } }) }
}

const syslog: Make = ({ config }, { egress }) => {
  if (config.checkpointSyslog === null) return null
  const ca = config.servicesCaFile === null ? undefined : readFileSync(config.servicesCaFile, 'utf8')
  const host = new URL(config.publicUrl).hostname
  return { name: 'syslog', sink: createSyslogSink({ egress, url: config.checkpointSyslog, ca, host }) }
}
