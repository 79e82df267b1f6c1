/**
 * Makes every member that is null undefined, in place and at any depth, so that it is left out of the JSON: the contract
 * marks no member of a record as one that may be null. To delete it would make the JSON slow to write.
 */
export function omitNulls<Value extends object>(value: Value): Value {
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (member === null) members[name] = undefined;
    else if (typeof member === 'object') omitNulls(member as object);
  }
  return value;
}
