import { FormatFault } from './record.ts'

/** Roles of a table column. */
export const columnRoles = ['time', 'url', 'host', 'path', 'user', 'client', 'bytes_up', 'bytes_down'] as const
export type ColumnRole = (typeof columnRoles)[number]
export type ColumnMap = ReadonlyMap<ColumnRole, string>

const example = 'columns=time:Timestamp,url:URL,user:User'

/** Reads `time:Timestamp,host:Destination host`. @throws FormatFault */
export function readColumnMap(text: string | null): ColumnMap {
  if (text === null) throw new FormatFault(`This format needs a column map, such as ${example}.`, 'columns')
  const map = new Map<ColumnRole, string>()
  for (const part of text.split(',')) {
    const colon = part.indexOf(':')
    const role = columnRoles.find((name) => name === part.slice(0, colon).trim())
    const column = part.slice(colon + 1).trim()
    if (colon === -1 || role === undefined || column === '')
      throw new FormatFault(
        `"${part.trim().slice(0, 60)}" is no part of a column map: write role:column with a role of ${columnRoles.join(', ')}, such as ${example}.`,
        'columns',
      )
    if (map.has(role)) throw new FormatFault(`The column map names ${role} twice.`, 'columns')
    map.set(role, column)
  }
  if (!map.has('time')) throw new FormatFault('The column map has no time.', 'columns')
  if (!map.has('url') && !map.has('host')) throw new FormatFault('The column map has neither url nor host.', 'columns')
  return map
}
