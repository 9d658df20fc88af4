/** OAuth 2.0 Protected Resource Metadata (RFC 9728) of the MCP endpoints. */
import Type from 'typebox'
import { routesOf } from '../../../../kernel/module/route.ts'
import { strictObject } from '../../../../kernel/schema/types.ts'
import { mcpForm } from '../proxy/form.ts'

const route = routesOf<unknown>()

const Metadata = strictObject({
  resource: Type.String({ maxLength: 2048, description: 'Value of the `aud` of a token (RFC 8707)' }),
  resource_name: Type.String({ maxLength: 200 }),
  bearer_methods_supported: Type.Array(Type.String({ maxLength: 16 }), { maxItems: 1 }),
  scopes_supported: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 1 }),
  resource_documentation: Type.String({ maxLength: 2048 }),
})

export const mcpMetadataRoutes = [
  route.get('/oauth-protected-resource/api/v1/aegis/mcp/{server_slug}', {
    permission: 'public',
    params: { server_slug: Type.String({ pattern: '^(?:_all|[a-z0-9][a-z0-9-]{0,39})$', maxLength: 40 }) },
    raw: { ...mcpForm, under: '/oauth-protected-resource' },
    rateClass: 'api',
    summary: 'Metadata of an MCP endpoint as a protected resource',
    description: 'The same for every name: it does not say whether there is such a server.',
    returns: [200, Metadata],
    handler: async ({ kernel, params }) => {
      const { publicUrl } = kernel.config
      return {
        resource: `${publicUrl}/api/v1/aegis/mcp/${params.server_slug}`,
        resource_name: 'Parapet MCP firewall',
        bearer_methods_supported: ['header'],
        scopes_supported: ['aegis:write'],
        resource_documentation: `${publicUrl}/openapi.json`,
      }
    },
  }),
]
