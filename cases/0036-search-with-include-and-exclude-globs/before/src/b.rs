// Total
