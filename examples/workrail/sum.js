exports.sum = (numbers) => numbers.reduce((total, number) => total + number);
