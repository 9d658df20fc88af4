import { type FormEvent, type ReactNode, useState } from 'react'
import { Mark } from '../ui/icons'
import { Problem } from '../ui/states'

interface AuthPageProps {
  readonly title: string
  readonly children: ReactNode
}

/** A page for people who are not signed in: a card with one task. */
export function AuthPage({ title, children }: AuthPageProps) {
  return (
    <main className="sign-in">
      <title>{`${title} · Parapet`}</title>
      <div className="card">
        <span className="brand">
          <Mark size={26} /> Parapet
        </span>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}

interface TaskProps {
  readonly action: string
  readonly onSubmit: () => Promise<void>
  readonly children: ReactNode
}

/** A form that is sent once at a time and shows why it was refused. */
export function TaskForm({ action, onSubmit, children }: TaskProps) {
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    onSubmit()
      .catch(setError)
      .finally(() => setBusy(false))
  }
  return (
    <form className="stack" onSubmit={submit}>
      {error === null ? null : <Problem error={error} />}
      {children}
      <div className="row end">
        <button type="submit" className="button main" disabled={busy}>
          {action}
        </button>
      </div>
    </form>
  )
}
