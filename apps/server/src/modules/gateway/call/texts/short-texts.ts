/**
 * The short texts of an answer beside its main text: ids, names of models and tools, stop sequences, sealed data, and
 * the tokens that spell a text. Each is inspected unless it has a form that cannot carry a message. Tested in
 * short-texts.test.ts.
 */
import type { AnswerEvent } from '../call.ts'
import { isPlainName } from '../json-texts.ts'
import { mapVendorRecord, textsBeside } from '../sealed-thoughts.ts'
import { shownId } from './ids.ts'
import { type MakePiece, wholeOf } from './text-piece.ts'

type Logprobs = Extract<AnswerEvent, { readonly type: 'logprobs' }>
type Called = Extract<AnswerEvent, { readonly type: 'tool_call' }>

/** The event with its short texts inspected; null for an event that is empty afterwards. */
export function withShortTexts(event: AnswerEvent, make: MakePiece): AnswerEvent | null {
  const look = (location: string) => (text: string) => wholeOf(make({ location, json: false }), text)
  switch (event.type) {
    case 'start': {
      const { id, model, fingerprint } = event
      return {
        ...event,
        ...(id === undefined ? {} : { id: shownId(id, look('/id')) }),
        model: shownModel(model, look('/model')),
        fingerprint: fingerprint === null ? null : shownModel(fingerprint, look('/system_fingerprint')),
      }
    }
    case 'tool_call': {
      const at = `/choices/${event.choice}/message/tool_calls/${event.index}`
      const { extra } = event
      return {
        ...event,
        id: shownId(event.id, look(`${at}/id`)),
        name: shownName(event, look(`${at}/function/name`)),
        ...(extra === undefined ? {} : { extra: { ...extra, members: mapVendorRecord(extra.members, look(at)) } }),
      }
    }
    case 'finish': {
      const { native, stopSequence, ...rest } = event
      return {
        ...rest,
        ...(native === undefined || !plainReason.test(native) ? {} : { native }),
        ...(stopSequence === undefined
          ? {}
          : { stopSequence: look(`/choices/${event.choice}/stop_sequence`)(stopSequence) }),
      }
    }
    case 'reasoning_data': {
      const said = look(`/choices/${event.choice}/message/reasoning`)
      // Sealed data is only valid unchanged.
      return textsBeside(event).every((text) => said(text) === text) ? event : null
    }
    default:
      return event
  }
}

/** Form of vendors' finish reasons; our own reason is sent as well. */
const plainReason = /^[A-Za-z_-]{1,40}$/

/** Parts too short for a key, and not a personal number. */
const plainModel = /^(?!.*\d{9})[A-Za-z0-9]{0,16}(?:[._:/+-][A-Za-z0-9]{0,16}){0,12}$/

function shownModel(model: string, look: (text: string) => string): string {
  return plainModel.test(model) ? model : look(model)
}

/** A tool's name is chosen by the model; most are too short to carry a message. */
function shownName({ name }: Called, look: (text: string) => string): string {
  if (isPlainName(name)) return name
  const shown = look(name)
  // Words in a name are separated by underscores and dots instead of spaces.
  const words = shown.replace(/[_.-]/g, ' ')
  const said = look(words)
  return said === words ? shown : said.replaceAll(' ', '_')
}

/** Most words of a model are shorter, and no personal data is this short. */
const longestToken = 16

/**
 * Whether the tokens spell only the text they belong to. If they spell another text, as at a provider that counts
 * non-text tokens, that text is inspected too.
 */
export function spells({ choice, channel }: Logprobs, given: string, parts: readonly Logprobs[], make: MakePiece) {
  const location = `/choices/${choice}/logprobs/${channel === 'text' ? 'content' : channel}`
  const isUnchanged = (text: string): boolean => wholeOf(make({ location, json: false }), text) === text
  const tokens = parts.flatMap((part) => part.tokens)
  const spelled = tokens.map(({ token }) => token).join('')
  const long = tokens.flatMap(({ top }) => top.flatMap(({ token }) => (token.length > longestToken ? [token] : [])))
  return (spelled === given || isUnchanged(spelled)) && long.every(isUnchanged)
}
