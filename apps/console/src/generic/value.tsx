import { Badge } from '../ui/badge'
import { moment } from '../ui/format'

const moments = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const judged = new Set(['status', 'severity', 'decision', 'result', 'rating', 'state', 'outcome', 'health'])

/** A value of a field by its form: a moment, a state, a number, a list, or the JSON of it. */
export function Value({ value, name }: { readonly value: unknown; readonly name: string }) {
  if (value === null || value === undefined) return <span className="faint">–</span>
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return <span className="number">{value.toLocaleString('en-US')}</span>
  if (typeof value !== 'string') return <Structure value={value} />
  if (moments.test(value)) return <time dateTime={value}>{moment(value)}</time>
  return judged.has(name) ? <Badge value={value} /> : <span title={value}>{value}</span>
}

function Structure({ value }: { readonly value: unknown }) {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number'))
    return value.join(', ') || '–'
  return <pre>{JSON.stringify(value, null, 2)}</pre>
}
