import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFilters, useGo } from './link'
import { Drawer } from './overlay'

/** The id in the address of a detail. */
export function useId(): string {
  const { id } = useParams({ strict: false })
  return id ?? ''
}

interface DetailProps {
  readonly title: string
  /** Address of the list, to which closing leads back with its filters. */
  readonly here: string
  readonly children: ReactNode
}

export function Detail({ title, here, children }: DetailProps) {
  const go = useGo()
  const [values] = useFilters()
  const query = new URLSearchParams(values).toString()
  return (
    <Drawer title={title} onClose={() => go(query === '' ? here : `${here}?${query}`)}>
      {children}
    </Drawer>
  )
}
