/**
 * Looks for a text in everything a database holds, in the forms it could be hidden in: any case, as a URL, JSON, base64
 * or hexadecimal would write it. Promises to read every table of the schema, regardless of row security.
 */
import { asOwner, script } from '../../../../kernel/db/owner.ts'
import type { Driver } from '../../../../kernel/db/port.ts'

/** Every row as text, by table; bytes are hexadecimal. */
export async function dump(driver: Driver): Promise<ReadonlyMap<string, string>> {
  const all = await asOwner(driver, (run) =>
    run(
      script(`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`),
    ),
  )
  const found = new Map<string, string>()
  for (const name of all.map((row) => String(row.name))) {
    const [row] = await asOwner(driver, async (run) => {
      // Fails, instead of skipping rows, where a policy would hide any.
      await run(script('set local row_security = off'))
      return run(script(`select coalesce(string_agg(t::text, e'\\n'), '') as text from "${name}" t`))
    })
    found.set(name, String(row?.text ?? ''))
  }
  return found
}

/** `table: trace` for every table that holds one of the texts. */
export function tracesIn(places: ReadonlyMap<string, string>, texts: readonly string[]): readonly string[] {
  return [...places].flatMap(([name, text]) => {
    const lower = text.toLowerCase()
    return texts.flatMap((one) =>
      formsOf(one).some(({ form, exact }) => (exact ? text : lower).includes(form)) ? [`${name}: ${one}`] : [],
    )
  })
}

interface Form {
  readonly form: string
  /** Case carries meaning. */
  readonly exact: boolean
}

export function formsOf(text: string): readonly Form[] {
  const cases = [...new Set([text, text.toLowerCase(), text.toUpperCase()])]
  const folded = [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1), escapedJson(text)]
  return [
    ...folded.map((form) => ({ form: form.toLowerCase(), exact: false })),
    ...cases.map((one) => ({ form: Buffer.from(one).toString('hex'), exact: false })),
    ...cases.flatMap(base64Forms).map((form) => ({ form, exact: true })),
  ]
}

const escapedJson = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Base64 forms at each of the three offsets in a longer text; characters that depend on neighbors are cut off. */
function base64Forms(text: string): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64')
    const own = whole.slice(offset === 0 ? 0 : 4)
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
