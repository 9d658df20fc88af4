import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMe } from '../api/session'
import { readDocument, resourcesOf } from '../docs/openapi'
import { words } from '../ui/format'
import { A } from '../ui/link'
import { Page, Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { Table } from '../ui/table'
import { GenericList } from './generic-list'

function useResources() {
  return useQuery({
    queryKey: ['/openapi.json'],
    queryFn: readDocument,
    staleTime: Number.POSITIVE_INFINITY,
    select: resourcesOf,
  })
}

/** Every list that the API has, by module: new modules are here without work of the console. */
export function ModulesPage() {
  const { permissions } = useMe()
  const resources = useResources()
  return (
    <Page title="All resources" purpose="Every list of the API, by module, from the server’s own document.">
      <Loaded query={resources} lines={9}>
        {(all) => {
          const shown = all.filter(
            ({ permission }) => permission === 'authenticated' || permissions.includes(permission),
          )
          const modules = [...new Set(shown.map(({ module }) => module))]
          return (
            <div className="grid">
              {modules.map((module) => (
                <Panel key={module} title={words(module)} flush className="six">
                  <Table
                    label={module}
                    rows={shown.filter((one) => one.module === module)}
                    keyOf={({ path }) => path}
                    columns={[
                      { name: 'Resource', show: ({ name, path }) => <A href={`/modules${path}`}>{words(name)}</A> },
                      { name: 'Meaning', show: ({ summary }) => summary },
                    ]}
                  />
                </Panel>
              ))}
            </div>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** `/modules/twins/assets`, and `/modules/twins/assets/<id>` for one of them. */
export function ResourcePage() {
  const { _splat: rest = '' } = useParams({ strict: false })
  const resources = useResources()
  if (rest === '') return <ModulesPage />
  return (
    <Loaded query={resources} lines={9}>
      {(all) => {
        const path = `/${rest}`
        const found = all.find((one) => path === one.path) ?? all.find((one) => path.startsWith(`${one.path}/`))
        if (found === undefined) return <Empty title="There is no such list" icon="search" />
        const id = path.slice(found.path.length + 1)
        return <GenericList resource={found} id={id === '' ? null : id} />
      }}
    </Loaded>
  )
}
