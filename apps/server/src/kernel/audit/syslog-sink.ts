/**
 * Signed checkpoints as syslog messages (RFC 5424) over TLS (RFC 5425) or, inside a private network, TCP (RFC 6587), both
 * framed by octet counting. Syslog has no acknowledgement, so each note has a connection of its own and counts as taken
 * once the receiver, having read all of it, has closed its side. UDP cannot confirm this, so it is not supported.
 * Tested in syslog-sink.test.ts.
 */
import type { Socket } from 'node:net'
import type { Egress } from '../egress/fetch.ts'
import type { CheckpointSink } from './checkpoint.ts'
import type { SignedCheckpoint } from './note.ts'

export interface SyslogParts {
  readonly egress: Pick<Egress, 'dial'>
  /** `tls://host:port` or `tcp://host:port`. */
  readonly url: string
  /** CA certificates (PEM) for the receiver; default those that Node knows. */
  readonly ca?: string | undefined
  /** HOSTNAME of the messages. */
  readonly host: string
  /** Milliseconds for the connection, and for the receiver to take the message; default 10,000. */
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 10_000
/** Of syslog over TLS; the one for TCP is customary. */
const ports: Readonly<Record<string, number>> = { 'tls:': 6514, 'tcp:': 514 }

export function createSyslogSink(parts: SyslogParts): CheckpointSink {
  const { egress, url, ca, host, timeoutMs = defaultTimeoutMs } = parts
  const { protocol, hostname, port } = new URL(url)
  const target = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (ports[protocol] ?? 6514) : Number(port),
    tls: protocol === 'tcp:' ? null : { ca },
    timeoutMs,
    // An entry counts as taken when the receiver closes, which a proxy may do in its place.
    withoutProxy: true,
  }
  return {
    write: async (checkpoint) => {
      const socket = await egress.dial(target)
      await handOver(socket, { bytes: frame(message(checkpoint, host)), timeoutMs })
    },
  }
}

/** RFC 6587 section 3.4.1: the length in octets, a space, the message. */
function frame(text: string): Buffer {
  const bytes = Buffer.from(text, 'ascii')
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes])
}

/** Facility 13 (log audit), severity 5 (notice): 13 * 8 + 5. */
const priority = 109

/** The note is in JSON without a line break or a character beyond ASCII, which receivers would change. */
function message({ tenantId, size, headHash, note, at }: SignedCheckpoint, host: string): string {
  const data = { tenant_id: tenantId, size, head_hash: headHash, note }
  const json = JSON.stringify({ type: 'audit.checkpoint.created', data }).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `<${priority}>1 ${at} ${printable(host)} parapet - checkpoint - ${json}`
}

/** A header field: printable ASCII without spaces, or the sign for none. */
function printable(name: string): string {
  const text = name.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 255)
  return text === '' ? '-' : text
}

interface Handed {
  readonly bytes: Buffer
  readonly timeoutMs: number
}

/** @throws Error when the receiver broke off, or went on holding the connection */
function handOver(socket: Socket, { bytes, timeoutMs }: Handed): Promise<void> {
  return new Promise((resolve, reject) => {
    let isRead = false
    socket.setTimeout(timeoutMs, () =>
      socket.destroy(new Error('the syslog receiver did not take the message in time')),
    )
    socket.once('error', reject)
    socket.once('end', () => {
      isRead = true
    })
    socket.once('close', () => {
      if (isRead) resolve()
      else reject(new Error('the syslog receiver broke off'))
    })
    socket.resume()
    socket.end(bytes)
  })
}
