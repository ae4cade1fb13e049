// codes: every code that a diagnostic or a fault can carry, read off the source.
// A code is whatever string literal reaches a parameter called `code` (of Fault, or of a function that makes a
// diagnostic) or a property called `code` of an object literal. The type checker follows it through conditions and
// constants, so nobody has to keep a list. What is not kebab-case (`ENOENT`) is somebody else's code.

import ts from 'typescript';

export interface CodeUse {
  code: string;
  /** `file:line` */
  at: string;
}

export function codesInSource(root: string): CodeUse[] {
  const config = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const files = fileNames.filter(
    (name) => name.startsWith(`${root}/src/`) && !/\.(?:test|contract)\.ts$/.test(name),
  );
  const program = ts.createProgram(files, { ...options, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const uses: CodeUse[] = [];

  // Types are dear. What no line of ours declares, `map` or `join`, has no parameter of ours.
  const ours = program.getSourceFiles().filter(({ fileName }) => files.includes(fileName));
  const declared = new Set<string>();
  const declare = (node: ts.Node): void => {
    const { name } = node as ts.NamedDeclaration;
    if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) declared.add(name.text);
    ts.forEachChild(node, declare);
  };
  for (const file of ours) declare(file);
  const isOurs = (callee: ts.Expression): boolean => {
    const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
    return !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) || declared.has(name.text);
  };

  const take = (node: ts.Expression): void => {
    const type = checker.getTypeAtLocation(node);
    for (const member of type.isUnion() ? type.types : [type]) {
      if (!member.isStringLiteral() || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(member.value)) continue;
      const file = node.getSourceFile();
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      uses.push({ code: member.value, at: `${file.fileName.slice(root.length + 1)}:${line}` });
    }
  };
  const visit = (node: ts.Node): void => {
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isOurs(node.expression)) {
      const callee = checker.getTypeAtLocation(node.expression);
      const signatures = ts.isNewExpression(node)
        ? callee.getConstructSignatures()
        : callee.getCallSignatures();
      const places = signatures.map(({ parameters }) => parameters.findIndex(({ name }) => name === 'code'));
      for (const place of new Set(places)) {
        const argument = node.arguments?.[place];
        if (argument) take(argument);
      }
    }
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'code') take(node.initializer);
    if (ts.isShorthandPropertyAssignment(node) && node.name.text === 'code') take(node.name);
    ts.forEachChild(node, visit);
  };
  for (const file of ours) visit(file);
  return uses;
}
