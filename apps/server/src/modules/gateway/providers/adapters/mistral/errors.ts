/** What Mistral says when it refuses: a sentence, or what is wrong with each member. Pure. Tested in mistral.test.ts. */
import Type from 'typebox'
import { fits } from '../../../../../kernel/schema/fits.ts'
import { scrub } from '../../fault.ts'
import { errorMessage as openAiMessage } from '../openai/decode.ts'

const Detail = Type.Array(
  Type.Object({ msg: Type.String(), loc: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Number()]))) }),
  { minItems: 1 },
)
const Said = Type.Object({ message: Type.String() })
const Listed = Type.Object({ detail: Detail })
const ListedInMessage = Type.Object({ message: Listed })

/** The message of an error body, safe to pass on. */
export function errorMessage(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (fits(Said, body)) return scrub(body.message)
    if (fits(ListedInMessage, body)) return scrub(sentence(body.message))
    if (fits(Listed, body)) return scrub(sentence(body))
  } catch {
    // Not JSON: nothing of it is passed on.
  }
  return openAiMessage(text)
}

function sentence({ detail }: Type.Static<typeof Listed>): string {
  return detail.map(({ msg, loc }) => `${(loc ?? []).filter((part) => part !== 'body').join('.')}: ${msg}`).join('; ')
}
