import { words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Empty } from '../ui/states'
import { marked } from './marked'
import type { Trace } from './request-drawer'

interface PayloadProps {
  readonly payload: NonNullable<Trace['payload']> | null
  readonly retention: string
}

/** The texts as they left for the provider: placeholders stand where something was replaced. */
export function Payload({ payload, retention }: PayloadProps) {
  return (
    <Panel title="Content as kept">
      {payload === null ? (
        <Empty title="No content is kept of this call" icon="hide">
          <p>{`The policy keeps ${retention === 'metadata' ? 'the facts of a call and none of its texts' : words(retention).toLowerCase()}.`}</p>
        </Empty>
      ) : (
        <div className="stack">
          {turnsOf(payload).map(({ key, role, text }) => (
            <div key={key} className="bubble" data-role={role}>
              <h3>{words(role)}</h3>
              <Marked text={text} />
            </div>
          ))}
        </div>
      )}
    </Panel>
  )
}

function turnsOf({ messages, answer }: NonNullable<PayloadProps['payload']>) {
  const asked = messages.map(({ role, texts }, index) => ({
    key: `m${index}`,
    role: String(role),
    text: texts.join('\n'),
  }))
  const answered = answer.map(({ text, index }) => ({ key: `a${index}`, role: 'answer', text }))
  return [...asked, ...answered].filter(({ text }) => text !== '')
}

/** Text with its placeholders marked. */
export function Marked({ text }: { readonly text: string }) {
  return (
    <>
      {marked(text).map(({ key, part, placeholder }) =>
        placeholder ? (
          <mark key={key} className="placeholder">
            {part}
          </mark>
        ) : (
          <span key={key}>{part}</span>
        ),
      )}
    </>
  )
}
