/**
 * Texts in vendor-specific content. In a complete answer each is inspected by itself. In a stream the texts of a
 * message continue from chunk to chunk, such as reasoning under a vendor's own name, so each member has one filter
 * until its choice is finished. The output does not depend on how such a text was split. Tested in
 * event-filter.test.ts.
 */
import type { AnswerEvent } from '../call.ts'
import { isPlainName, type MemberNames, mapRecord, mapValue, memberNames } from '../json-texts.ts'
import { type MakePiece, type TextPiece, wholeOf } from './text-piece.ts'

type Extra = Extract<AnswerEvent, { readonly type: 'extra' }>

/** The event with its texts filtered, each as a complete text. */
export function withVendorTexts(event: AnswerEvent, make: MakePiece): AnswerEvent {
  const whole = (location: string) => (text: string) => wholeOf(make({ location, json: false }), text)
  switch (event.type) {
    case 'annotation': {
      const value = mapValue(event.note.value, whole(`/choices/${event.choice}/message/annotations`))
      return { ...event, note: { ...event.note, value } }
    }
    case 'extra':
      return { ...event, members: mapRecord(event.members, whole(`/choices/${event.choice}`)) }
    case 'answer_extra':
      return { ...event, members: mapRecord(event.members, whole('')) }
    case 'raw':
      return { ...event, item: { ...event.item, value: mapValue(event.item.value, whole('')) } }
    default:
      return event
  }
}

export interface GrowingTexts {
  push(event: Extra): AnswerEvent
  /** Releases text held back for a choice, at its original place. */
  end(isDue: (choice: number) => boolean): readonly AnswerEvent[]
}

/** The name of a member, or the `index` of an element of a list. */
type Path = readonly (string | number)[]

interface Growing {
  readonly of: Extra
  readonly path: Path
  readonly piece: TextPiece
}

export function growingTexts(make: MakePiece): GrowingTexts {
  const open = new Map<string, Growing>()
  const named = new Map<string, MemberNames>()
  /** A name comes with every piece of the text under it, and is inspected once. */
  const namesOf = (of: Extra, path: Path): MemberNames => {
    const key = JSON.stringify([of.choice, ...path])
    const names = named.get(key) ?? memberNames(alone(of))
    named.set(key, names)
    return names
  }
  const grown = (of: Extra, path: Path, text: string): string => {
    const key = JSON.stringify([of.choice, ...path])
    const [first = ''] = path
    // A reported location must not contain a name that may be personal data.
    const location = `/choices/${of.choice}/message${isPlainName(`${first}`) ? `/${first}` : ''}`
    const growing = open.get(key) ?? { of, path, piece: make({ location, json: false }) }
    open.set(key, growing)
    return growing.piece.push(text)
  }
  const filtered = (of: Extra, value: unknown, path: Path): unknown => {
    if (typeof value === 'string') return grown(of, path, value)
    if (Array.isArray(value)) return value.map((element) => elementOf(of, element, path))
    if (typeof value !== 'object' || value === null) return mapValue(value, alone(of))
    const names = namesOf(of, path)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const shown = names(name)
        return [shown, fixed.has(name) ? mapValue(member, alone(of)) : filtered(of, member, [...path, shown])]
      }),
    )
  }
  /** An element without an index has no continuation. */
  const elementOf = (of: Extra, element: unknown, path: Path): unknown => {
    const index = indexOf(element)
    return index === null ? mapValue(element, alone(of)) : filtered(of, element, [...path, index])
  }
  const alone = (of: Extra) => (text: string) =>
    wholeOf(make({ location: `/choices/${of.choice}/message`, json: false }), text)
  return {
    push: (event) => ({ ...event, members: filtered(event, event.members, []) as Extra['members'] }),
    end: (isDue) => {
      const due = [...open].filter(([, { of }]) => isDue(of.choice))
      for (const [key] of due) open.delete(key)
      return due.flatMap(([, { of, path, piece }]) => {
        const rest = piece.end()
        return rest === '' ? [] : [{ ...of, members: placed(path, rest) as Extra['members'] }]
      })
    },
  }
}

/** Members with complete values or pieces that are not text for a person. */
const fixed: ReadonlySet<string> = new Set(['type', 'id', 'object', 'role', 'status', 'format', 'data'])

function indexOf(element: unknown): number | null {
  if (typeof element !== 'object' || element === null || !('index' in element)) return null
  return typeof element.index === 'number' ? element.index : null
}

/** A text nested in the records and lists of its path. */
function placed([step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return text
  const inside = placed(rest, text)
  if (typeof step === 'string') return { [step]: inside }
  return [typeof inside === 'object' ? { index: step, ...inside } : inside]
}
