import { Component, type ReactNode, useId } from 'react'
import { Problem } from './states'

interface PanelProps {
  readonly title: string
  readonly tools?: ReactNode
  readonly flush?: boolean
  readonly className?: string
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** A framed part of a page; when it breaks, the rest of the page stays. */
export function Panel({ title, tools, flush = false, className = '', foot, children }: PanelProps) {
  const id = useId()
  return (
    <section className={`panel ${className}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {tools === undefined ? null : <div className="tools">{tools}</div>}
      </header>
      <div className={flush ? 'body flush' : 'body'}>
        <Boundary>{children}</Boundary>
      </div>
      {foot === undefined ? null : <footer>{foot}</footer>}
    </section>
  )
}

interface BoundaryState {
  readonly error: unknown
}

export class Boundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { error: null }

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error }
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    return <Problem error={this.state.error} retry={() => this.setState({ error: null })} />
  }
}

interface PageProps {
  readonly title: string
  readonly purpose: string
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** A page: its title, its purpose in a sentence, the one action, and the rest. */
export function Page({ title, purpose, action, children }: PageProps) {
  return (
    <>
      <title>{`${title} · Parapet`}</title>
      <div className="page-head">
        <div className="words">
          <h1>{title}</h1>
          <p>{purpose}</p>
        </div>
        {action}
      </div>
      <Boundary key={title}>{children}</Boundary>
    </>
  )
}
