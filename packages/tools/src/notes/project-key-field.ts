/** The `project_key` of a result: it stands exactly where the address starts with `@project/`. */
export function projectKeyField(address: string, projectKey: string): { readonly project_key?: string } {
  return address.startsWith("@project/") ? { project_key: projectKey } : {};
}
