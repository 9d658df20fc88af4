/** Names of a family's findings in the lists of OWASP (agentic, MCP, LLM) and MITRE ATLAS. */
const poisoning = ['ASI01', 'MCP03', 'LLM01', 'AML.T0110']

const byFamily: Readonly<Record<string, readonly string[]>> = {
  concealment: ['ASI09', 'MCP03', 'AML.T0110'],
  'secret-request': ['ASI03', 'MCP01', 'LLM02', 'AML.T0110'],
  'markup-hiding': ['ASI01', 'MCP03', 'AML.T0110'],
  'homoglyph-name': ['ASI04', 'MCP03', 'AML.T0110'],
  'data-exfiltration': ['ASI01', 'MCP10', 'LLM02', 'AML.T0086'],
  'tool-abuse': ['ASI02', 'MCP03', 'LLM06', 'AML.T0053'],
}

export const tagsOf = (family: string): string[] => [...(byFamily[family] ?? poisoning)]
