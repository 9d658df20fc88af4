import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { readOne, readPage, signedIn } from '../api/client'
import { ChartPanel } from '../charts/chart-panel'
import { byCount, byMinute, type Moments, sayMoments } from '../charts/moments'
import { Timeline } from '../charts/timeline'
import { Switch } from '../ui/field'
import { Loaded } from '../ui/states'

type Span = '1h' | '24h' | '7d'

const hourMs = 3_600_000
const spans: Readonly<Record<Span, { readonly words: string; readonly ms: number; readonly step: number }>> = {
  '1h': { words: 'the last hour', ms: hourMs, step: 60 },
  '24h': { words: 'the last 24 hours', ms: 24 * hourMs, step: 3_600 },
  '7d': { words: 'the last 7 days', ms: 168 * hourMs, step: 86_400 },
}
/** Logged calls that are counted by the minute; a busier hour is told by its counts. */
const mostCalls = 1_000

const none: Moments = { at: [], allowed: [], blocked: [] }

export function CallsPanel({ className }: { readonly className: string }) {
  const [span, setSpan] = useState<Span>('1h')
  const query = useQuery({
    queryKey: ['/gateway/usage', 'moments', span],
    queryFn: () => (span === '1h' ? readHour() : readCounts(span)),
    refetchInterval: 60_000,
  })
  const moments = query.data ?? none
  const says = useMemo(() => sayMoments(moments, spans[span].words), [moments, span])
  const rows = moments.at.map((at, index) => [
    new Date(at * 1000).toISOString(),
    moments.allowed[index] ?? 0,
    moments.blocked[index] ?? 0,
  ])
  return (
    <ChartPanel
      title="Model calls"
      className={className}
      says={says}
      head={['Begins', 'Went through', 'Blocked']}
      rows={rows}
      tools={<Switch label="Time span" value={span} options={['1h', '24h', '7d']} onChange={setSpan} />}
    >
      <Loaded query={query} lines={7}>
        {(data) => <Timeline moments={data} says={says} />}
      </Loaded>
    </ChartPanel>
  )
}

async function readHour(): Promise<Moments> {
  const now = Date.now()
  const from = new Date(now - hourMs).toISOString()
  const calls: { readonly created_at: string; readonly decision: string }[] = []
  const first = await readPage('/gateway/requests', { query: { from, limit: 200 } })
  calls.push(...first.data)
  if ((first.meta.pagination?.total_count ?? 0) > mostCalls) return readCounts('24h')
  let cursor = first.meta.pagination?.cursor ?? null
  while (cursor !== null && calls.length < mostCalls) {
    const next = await signedIn().get<typeof calls>('/gateway/requests', { query: { from, limit: 200, cursor } })
    calls.push(...next.data)
    cursor = next.meta.pagination?.has_more === true ? next.meta.pagination.cursor : null
  }
  return byMinute(calls, now)
}

async function readCounts(span: Span): Promise<Moments> {
  const to = Date.now()
  const from = to - spans[span].ms
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const interval = span === '7d' ? 'day' : 'hour'
  const both = await Promise.all(
    [false, true].map((offline) => readOne('/gateway/usage', { query: { ...range, interval, offline } })),
  )
  return byCount(
    both.flatMap(({ data }) => data.series.map(({ at, requests = 0, blocked = 0 }) => ({ at, requests, blocked }))),
    { from, to, step: spans[span].step },
  )
}
