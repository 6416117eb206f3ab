"""Tools that give shopping assistants access to a shop's bundles over the Model Context Protocol (docs/agents.md).

The tools call the same use cases as the API, with the same keys, limits and refusals. Only modules in `mounting/` import this
package.
"""
