// Windows opens these as devices in any folder and with any extension; the superscript digits are
// read as digits there.
const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/iu;

/** What stands before the first dot of a file name: the part that Windows looks at. */
export function deviceStem(component: string): string {
  return (component.split(".", 1)[0] ?? "").trimEnd();
}

/** Whether a file of this name would be a device on Windows. Checked everywhere, so that notes can move between machines. */
export function isDeviceName(component: string): boolean {
  return DEVICE_NAME.test(deviceStem(component));
}
