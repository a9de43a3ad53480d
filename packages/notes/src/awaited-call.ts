/** How a call of the file system answers. */
type Done<Value> = (error: Error | null, ...value: Value extends void ? [] : [Value]) => void;

/**
 * Waits for a call that answers through a callback. Done thousands of times a second, `promisify`
 * at each call takes as long as the call itself.
 */
export function awaited<Value = void>(call: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    call((error, ...[value]) => {
      if (error === null) resolve(value as Value);
      else reject(error);
    });
  });
}
