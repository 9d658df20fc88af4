import type { LogRecord } from './record.ts'

/**
 * Reads a request target into host, port and path: an absolute URL, or `host:port` as in CONNECT. User information and
 * the query are dropped.
 * @returns false for a target without a host, such as a path alone
 */
export function readTarget(target: string, record: LogRecord): boolean {
  const scheme = target.indexOf('://')
  const start = scheme === -1 ? 0 : scheme + 3
  const end = endOfAuthority(target, start)
  if (end === start) return false
  readAuthority(target.slice(start, end), record)
  record.path = pathAt(target, end)
  if (record.port === 0 && scheme !== -1) record.port = target.charCodeAt(4) === 0x73 ? 443 : 80
  return record.host !== ''
}

/** The path without query and fragment. */
export function pathAt(target: string, start: number): string {
  if (target.charCodeAt(start) !== 0x2f) return ''
  let end = start
  for (; end < target.length; end += 1) {
    const code = target.charCodeAt(end)
    if (code === 0x3f || code === 0x23) break
  }
  return target.slice(start, end)
}

function endOfAuthority(target: string, start: number): number {
  let end = start
  for (; end < target.length; end += 1) {
    const code = target.charCodeAt(end)
    if (code === 0x2f || code === 0x3f || code === 0x23) break
  }
  return end
}

/** `host`, `host:port`, `[address]:port`, with or without user information. */
export function readAuthority(text: string, record: LogRecord): void {
  const at = text.lastIndexOf('@')
  const authority = at === -1 ? text : text.slice(at + 1)
  const bracket = authority.charCodeAt(0) === 0x5b ? authority.indexOf(']') : -1
  if (bracket !== -1) {
    record.host = authority.slice(1, bracket)
    record.port = portOf(authority.slice(bracket + 2))
    return
  }
  const colon = authority.lastIndexOf(':')
  // More than one colon without brackets is an address of IPv6 alone.
  if (colon === -1 || authority.indexOf(':') !== colon) {
    record.host = authority
    record.port = 0
    return
  }
  record.host = authority.slice(0, colon)
  record.port = portOf(authority.slice(colon + 1))
}

export function portOf(text: string): number {
  const port = text === '' ? 0 : Number(text)
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0
}
