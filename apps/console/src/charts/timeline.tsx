import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { colorOf } from '../ui/theme'
import type { Moments } from './moments'

const height = 200

/** Blocked calls stacked on those that went through, drawn anew when the theme or the width changes. */
export function Timeline({ moments, says }: { readonly moments: Moments; readonly says: string }) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const draw = (): void => {
      plot.current?.destroy()
      plot.current = new uPlot(optionsFor(element.clientWidth, stepOf(moments)), stacked(moments), element)
    }
    draw()
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }))
    resized.observe(element)
    window.addEventListener('parapet-theme', draw)
    return () => {
      resized.disconnect()
      window.removeEventListener('parapet-theme', draw)
      plot.current?.destroy()
      plot.current = null
    }
  }, [moments])
  return (
    <div className="stack">
      <div className="timeline" ref={box} role="img" aria-label={says} />
      <div className="legend">
        <span>
          <i className="tone-allowed" />
          Went through
        </span>
        <span>
          <i className="tone-blocked" />
          Blocked
        </span>
      </div>
    </div>
  )
}

const stepOf = ({ at: [first = 0, second = 0] }: Moments): number => second - first

/** The upper series is drawn first, as the sum, so that the lower one covers its part. */
function stacked({ at, allowed, blocked }: Moments): uPlot.AlignedData {
  return [[...at], blocked.map((value, index) => value + (allowed[index] ?? 0)), [...allowed]]
}

const hour = 3_600

/** Clock times within a day, days beyond. @param at Unix seconds */
function label(at: number, step: number): string {
  const time = new Date(at * 1000)
  if (step > hour) return time.toLocaleDateString('en-US', { day: 'numeric', month: 'short' })
  return time.toLocaleTimeString('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

/** @param step seconds of a bucket */
function optionsFor(width: number, step: number): uPlot.Options {
  const axis = {
    stroke: colorOf('soft'),
    grid: { stroke: colorOf('line'), width: 1 },
    ticks: { show: false },
    font: '11px sans-serif',
  }
  const { bars } = uPlot.paths
  const drawn = bars === undefined ? {} : { paths: bars({ size: [0.75, 22] }) }
  return {
    width,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { range: (_, low, high) => [low - step / 2, high + step / 2] },
      y: { range: (_, __, high) => [0, Math.max(4, Math.ceil(high * 1.1))] },
    },
    axes: [
      { ...axis, size: 26, values: (_, ticks) => ticks.map((at) => label(at, step)) },
      { ...axis, size: 38, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 10_000] },
    ],
    series: [
      {},
      {
        label: 'Blocked',
        fill: colorOf('blocked'),
        stroke: colorOf('blocked'),
        width: 0,
        points: { show: false },
        ...drawn,
      },
      {
        label: 'Went through',
        fill: colorOf('allowed'),
        stroke: colorOf('allowed'),
        width: 0,
        points: { show: false },
        ...drawn,
      },
    ],
  }
}
