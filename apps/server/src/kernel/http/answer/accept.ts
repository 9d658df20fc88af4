/**
 * Chooses one of the forms a route has by the `Accept` header (RFC 9110 section 12.5.1): the highest weight, then the
 * more exact range, then the order of the forms. It refuses nothing: a caller that accepts none of them gets the first.
 * Tested in accept.test.ts.
 */
interface Range {
  readonly type: string
  readonly weight: number
}

const rangePattern = /^\s*([\w.+*-]+\/[\w.+*-]+)\s*((?:;[^,]*)?)$/
const weightPattern = /;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)/i

export function acceptedForm<const F extends string>(header: string | undefined, forms: readonly [F, ...F[]]): F {
  if (header === undefined) return forms[0]
  const ranges = header.slice(0, 2_000).split(',').flatMap(rangeOf)
  let best: { readonly form: F; readonly weight: number } = { form: forms[0], weight: weightOf(forms[0], ranges) }
  for (const form of forms.slice(1)) {
    const weight = weightOf(form, ranges)
    if (weight > best.weight) best = { form, weight }
  }
  return best.form
}

function rangeOf(text: string): readonly Range[] {
  const match = rangePattern.exec(text)
  if (match === null) return []
  const [, type = '', parameters = ''] = match
  return [{ type: type.toLowerCase(), weight: Number(weightPattern.exec(parameters)?.[1] ?? 1) }]
}

/** The most exact range decides, with any weight: `text/*;q=1, text/csv;q=0` takes no CSV. */
function weightOf(form: string, ranges: readonly Range[]): number {
  const named = [form, `${form.split('/')[0]}/*`, '*/*']
  for (const name of named) {
    const found = ranges.find(({ type }) => type === name)
    if (found !== undefined) return found.weight
  }
  return 0
}
