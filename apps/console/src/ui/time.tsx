import { useEffect, useState } from 'react'
import { ago, moment } from './format'

/** Milliseconds between looks at the clock. */
const tickMs = 20_000

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** How long ago, with the moment itself in the tooltip; a dash for null. */
export function Ago({ at }: { readonly at: string | null | undefined }) {
  const now = useNow()
  if (at == null) return <span className="faint">–</span>
  return (
    <time dateTime={at} title={moment(at)}>
      {ago(at, Math.max(now, Date.parse(at)) === now ? now : Date.now())}
    </time>
  )
}
