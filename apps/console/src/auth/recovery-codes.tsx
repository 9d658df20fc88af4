import { useState } from 'react'

interface CodesProps {
  readonly codes: readonly string[]
  readonly onDone: () => void
}

/** Codes that the server shows once. */
export function RecoveryCodes({ codes, onDone }: CodesProps) {
  const [copied, setCopied] = useState(false)
  const copy = (): void => void navigator.clipboard.writeText(codes.join('\n')).then(() => setCopied(true))
  return (
    <div className="stack">
      <p className="notice" role="status">
        These recovery codes are shown once. Each opens your account one time when the authenticator is not at hand.
        Print them or keep them in a password manager.
      </p>
      <ol className="codes" data-testid="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="row end">
        <button type="button" className="button" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" className="button main" onClick={onDone}>
          I have kept them
        </button>
      </div>
    </div>
  )
}
