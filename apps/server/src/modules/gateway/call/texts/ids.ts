/**
 * Ids of tool calls, files and answers. Ids in the forms that vendors generate pass, any other value in their place is
 * read as text, and a call and its result still have the same id after redaction. Pure. Tested in ids.test.ts.
 */
import { isPlainName, newName } from '../json-texts.ts'

/** Random letters and digits: not a word and not a personal number. */
const token = (length: number): string =>
  `(?=[A-Za-z0-9]*\\d)(?![A-Za-z0-9]*(?:\\d{7}|[a-z]{10}))[A-Za-z0-9]{${length}}`
/** The shortest card numbers have twelve digits. */
const hex = '(?![0-9a-f]*\\d{12})(?=[0-9a-f]*\\d)[0-9a-f]{24,64}'
const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}(?!\\d{12})[0-9a-f]{12}'

/** Ids as in the vendors' own answers, and ours in their form. */
const made = new RegExp(
  `^(?:${[
    `call_(?:gemini_)?(?:\\d{1,3}_)?(?:${token(24)}|${hex}|${uuid})`,
    `(?:srv|mcp)?toolu_(?:vrtx_|bdrk_)?01${token(22)}`,
    `tooluse_${token(22)}`,
    `chatcmpl-(?:tool-)?(?:${token(24)}|${token(29)}|${hex}|${uuid})`,
    `(?:fc|ctc|rs|msg|resp|file)_${hex}`,
    `(?:msg|file|req)_01${token(22)}`,
    `file-(?:${token(22)}|${token(24)})`,
    `(?:chatcmpl|gen)-\\d{10}-${token(20)}`,
    token(9),
    uuid,
  ].join('|')})$`,
)
/** Ids that programs generate by counting. */
const counted = /^(?:(?:call|tool|toolu|tool_call|tool_use|fc|file|id)?[_-]?\d{1,4}|[A-Za-z]{1,8}[_-]?\d{0,4})$/

/** Some programs count the calls of each tool. */
const countedByTool = /^functions\.([^.:]{1,64}):\d{1,4}$/

/** Whether an id needs no inspection. */
export const isMadeId = (id: string): boolean =>
  counted.test(id) || made.test(id) || isPlainName(countedByTool.exec(id)?.[1] ?? '')

type Look = (text: string) => string

/** Prefixes of vendors' ids. A detector ignores a match that begins in the middle of a word. */
const lead = /^(?:call|tool|(?:srv|mcp)?toolu|tooluse|chatcmpl|fc|ctc|rs|msg|resp|file|id)[_-]/

/** The id after redaction by `look`, in characters that every vendor accepts in an id. */
export function shownId(id: string, look: Look): string {
  if (isMadeId(id)) return id
  const [before = ''] = lead.exec(id) ?? []
  const rest = id.slice(before.length)
  const said = look(rest)
  return said === rest ? id : `${before}${said.replace(/[^A-Za-z0-9_-]+/g, '_')}`
}

/** Shown ids of one call: equal ids stay equal, and different ids stay different, even if they are hidden alike. */
export function shownIds(ids: readonly string[]): (id: string, look: Look) => string {
  const names = new Map<string, string>()
  const taken = new Set(ids)
  return (id, look) => {
    const shown = shownId(id, look)
    const name = names.get(id) ?? (shown === id ? id : newName(shown, taken))
    names.set(id, name)
    return name
  }
}
