import { Facts } from '../ui/field'
import { Panel } from '../ui/panel'
import { Empty } from '../ui/states'
import { Table } from '../ui/table'
import { fieldsOf, formOf, type Place, type Schema } from './openapi'

export function OperationPanel({ place: { method, path, operation } }: { readonly place: Place }) {
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  const [status, answer] = Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? ['', undefined]
  const data = answer?.content?.['application/json']?.schema.properties?.data
  const refusals = Object.entries(operation.responses).filter(([code]) => !code.startsWith('2') && code !== '304')
  return (
    <>
      <Panel title={operation.summary}>
        <div className="stack">
          <p>
            <code>{`${method} ${path}`}</code>
          </p>
          {operation.description === undefined ? null : <p className="soft">{operation.description}</p>}
          <Facts rows={[['Permission', <code key="permission">{operation['x-permission']}</code>]]} />
          <pre>{curlOf(method, path, body)}</pre>
        </div>
      </Panel>
      <Panel title="Parameters" flush>
        {operation.parameters.length === 0 ? (
          <Empty title="None" icon="docs" />
        ) : (
          <Table
            label="Parameters"
            rows={operation.parameters}
            keyOf={({ in: where, name }) => `${where} ${name}`}
            columns={[
              { name: 'Name', show: ({ name }) => <code>{name}</code> },
              { name: 'In', show: ({ in: where }) => where },
              {
                name: 'Form',
                show: ({ schema, required }) => `${formOf(schema)}${required === true ? ' (required)' : ''}`,
              },
              { name: 'Meaning', show: ({ description, schema }) => description ?? schema.description ?? '' },
            ]}
          />
        )}
      </Panel>
      {body === undefined ? null : <Fields title="Body" schema={body} />}
      {data === undefined ? null : <Fields title={`Answer ${status}`} schema={data.items ?? data} />}
      <Panel title="Refusals">
        <Facts rows={refusals.map(([code, { description }]) => [code, <Codes key={code} text={description} />])} />
      </Panel>
    </>
  )
}

function Fields({ title, schema }: { readonly title: string; readonly schema: Schema }) {
  const rows = fieldsOf(schema)
  return (
    <Panel title={title} flush>
      {rows.length === 0 ? (
        <Empty title={formOf(schema)} icon="docs" />
      ) : (
        <Table
          label={title}
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { name: 'Field', show: ({ name }) => <code>{name}</code> },
            { name: 'Form', show: ({ form, required }) => `${form}${required ? ' (required)' : ''}` },
            { name: 'Meaning', show: ({ meaning }) => meaning },
          ]}
        />
      )}
    </Panel>
  )
}

/** Codes lead to their pages. */
function Codes({ text }: { readonly text: string }) {
  const parts = text.split(/([A-Z]+-\d{3})/).map((part, index) => ({ part, key: `${index} ${part}` }))
  return (
    <>
      {parts.map(({ part, key }) =>
        /^[A-Z]+-\d{3}$/.test(part) ? (
          <a key={key} href={`/errors/${part}`}>
            {part}
          </a>
        ) : (
          <span key={key}>{part}</span>
        ),
      )}
    </>
  )
}

function curlOf(method: string, path: string, body: Schema | undefined): string {
  const lines = [`curl -X ${method} ${location.origin}${path}`, `-H "authorization: Bearer $TOKEN"`]
  if (body !== undefined) {
    const required = (body.required ?? []).map((name) => [name, formOf(body.properties?.[name] ?? {})])
    lines.push(`-H 'content-type: application/json'`, `-d '${JSON.stringify(Object.fromEntries(required))}'`)
  }
  return lines.join(' \\\n  ')
}
